import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { teamScreens } from '../../src/admin-ui/paths.ts'

const root = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(root, 'docs/integrations.md'), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const pictures = join(root, 'docs/pictures')

const ui = join(root, 'src/admin-ui')
const sources = readdirSync(ui, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(join(ui, path), 'utf8'))
  .join('\n')

/** What people are told to press, fill or look for: words in code that begin with a capital, values and headers of the wire apart. */
const controls = [...new Set([...guide.matchAll(/`([A-Z][A-Za-z -]*)( …)?`/g)].map((match) => (match[1] ?? '').trim()))].filter(
  (name) => !name.startsWith('X-') && name !== 'Sign in with Studio ID',
)

test('the guide names controls that the screens have', () => {
  expect(controls.length).toBeGreaterThan(30)
  const isThere = (name: string) => ["'", '`', '"', '>', '\n *'].some((start) => new RegExp(`${start}\\s*${name}\\b`).test(sources))
  expect(controls.filter((name) => !isThere(name))).toEqual([])
})

const filesOf = (name: string) => [`${name}.webp`, `${name}-dark.webp`]
const shown = [guide, readme].flatMap((text) => [...text.matchAll(/\((?:docs\/)?pictures\/(\S+?)\.webp\)/g)].map((match) => match[1] ?? ''))

test('every picture is shown, and there in both colour schemes', () => {
  expect(readdirSync(pictures).toSorted()).toEqual([...new Set(shown)].flatMap(filesOf).toSorted())
})

test('every screen of the navigation has a picture in its guide', () => {
  expect([...Object.keys(teamScreens), 'account', 'sign-in'].filter((screen) => !shown.includes(screen))).toEqual([])
})

test('each picture is smaller than 64 KiB, and all together are smaller than 1.25 MiB', () => {
  const sizes = readdirSync(pictures).map((name) => statSync(join(pictures, name)).size)
  expect(Math.max(...sizes)).toBeLessThan(64 * 1024)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1.25 * 2 ** 20)
})
