import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeDocsSite } from '../../../../scripts/release/artefacts/writeDocsSite.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'

const root = join(import.meta.dirname, '../../../..')

test('each page has its content security policy as an element, before all that it loads', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeDocsSite(folder, { root, version: '1.2.3', origin: 'https://atelier.example.com' })
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'))
  expect(names).toEqual(expect.arrayContaining(['index.html', 'docs/index.html', 'docs/guides/index.html']))
  for (const name of names) {
    const page = await readFile(join(folder, name), 'utf8')
    const before = page.slice(0, page.search(/<(?:title|link|script|style)/))
    expect([name, before]).toEqual([name, expect.stringMatching(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'/)])
    expect(before).not.toContain('frame-ancestors')
  }
  const reference = await readFile(join(folder, 'docs/index.html'), 'utf8')
  expect(reference).toContain("style-src 'self' 'unsafe-inline'; img-src 'self' data:")
})
