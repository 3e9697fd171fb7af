import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeSite } from '../../../src/http/docs/site.ts'

test('after a failed read, guides are read again at the next request', async () => {
  const root = await mkdtemp(join(tmpdir(), 'atelier-site-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const guide = { title: 'Harbour', file: 'harbour.md', path: '/docs/guides/harbour' }
  const site = makeSite({ root, groups: [{ title: 'Begin', guides: [guide] }], decisions: [], pictures: [] }, 'https://studio.example')
  await expect(site.html(guide.path)).rejects.toThrow('ENOENT')
  await writeFile(join(root, guide.file), '# The harbour\n\nShips lie here.\n')
  expect(await site.html(guide.path)).toContain('Ships lie here.')
})
