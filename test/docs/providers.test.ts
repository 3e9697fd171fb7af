import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const page = await readFile(join(root, 'docs', 'providers.md'), 'utf8')
const excerpts = [...page.matchAll(/^```(?:ts|json) (\S+)\n(.*?)^```/gms)].map(([, path = '', text = '']) => ({ path, text }))

test.each(excerpts)('what the page shows of $path stands there', async ({ path, text }) => {
  expect(await readFile(join(root, path), 'utf8')).toContain(text)
})

test('every piece of code on the page is an excerpt', () => {
  expect(excerpts.length).toBeGreaterThan(0)
  expect([...page.matchAll(/^```(?:ts|json)/gm)]).toHaveLength(excerpts.length)
})
