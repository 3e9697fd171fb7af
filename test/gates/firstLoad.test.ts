import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] }

const bundle = join(import.meta.dirname, '../../dist/admin-ui')
const manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8')) as Record<string, Chunk>
const page = readFileSync(join(bundle, 'index.html'), 'utf8')

/** A chunk with all of its static imports. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const each of manifest[name]?.imports ?? []) withImports(each, seen)
  return seen
}

const first = [...withImports('index.html')]

test('the first page loads at most 168 kB of script, compressed', () => {
  const scripts = [
    ...new Set([...first.map((name) => manifest[name]?.file ?? ''), ...[...page.matchAll(/assets\/[\w-]+\.js/g)].map(String)]),
  ]
  const sizes = scripts.map((file) => gzipSync(readFileSync(join(bundle, file))).length)
  expect(scripts.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(168_000)
})

const pages = Object.keys(manifest).filter((name) => /^pages\/.*Page\.tsx$/.test(name))

test('a page loads at most 6 further scripts', () => {
  expect(pages.length).toBeGreaterThan(10)
  const furtherOf = (name: string) => [...withImports(name)].filter((each) => !first.includes(each))
  expect(pages.filter((name) => furtherOf(name).length > 6)).toEqual([])
})

test('the sign-in loads at most 10 kB of script besides, and none of what lists and dialogs need', () => {
  const further = [...withImports('pages/sign-in/SignInPage.tsx')].filter((name) => !first.includes(name))
  const texts = further.map((name) => readFileSync(join(bundle, manifest[name]?.file ?? ''), 'utf8'))
  expect(texts.join('')).toContain('Sign in')
  expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(10_000)
})

test('a page loads at most 300 kB of script, styles and font before its rows, as a line of 1.6 Mbit/s allows', () => {
  const sizeOf = (file: string) =>
    [`${file}.br`, file]
      .map((name) => join(bundle, name))
      .filter(existsSync)
      .map((path) => statSync(path).size)[0] ?? 0
  const filesOf = (name: string) =>
    [...withImports(name), ...first].flatMap((each) => [manifest[each]?.file ?? '', ...(manifest[each]?.css ?? [])])
  const font = [...page.matchAll(/assets\/[\w-]+\.woff2/g)].map(String)
  const bytesOf = (name: string) => [...new Set([...filesOf(name), ...font])].reduce((sum, file) => sum + sizeOf(file), 0)
  expect(pages.filter((name) => bytesOf(name) > 300_000).map((name) => ({ name, bytes: bytesOf(name) }))).toEqual([])
})

test('the script that begins to load the page waits for no other script', () => {
  const { file = '' } = manifest['screens.ts'] ?? {}
  expect([...withImports('screens.ts')]).toEqual(['screens.ts'])
  expect(page).toContain(`<script type="module" async crossorigin src="/integrations/${file}"></script>`)
})

test('the menus and the notice of every page are one file, which no page waits for', () => {
  const menus = globSync('assets/menus-*.js', { cwd: bundle })
  expect(menus).toHaveLength(1)
  const text = readFileSync(join(bundle, menus[0] ?? ''), 'utf8')
  expect(['Sign out', 'Theme', 'Alerts'].filter((word) => !text.includes(word))).toEqual([])
  expect(first.map((name) => manifest[name]?.file)).not.toContain(menus[0])
})

test('no scripts import each other, so that each runs after those that it needs', () => {
  const needsItself = (name: string) => (manifest[name]?.imports ?? []).some((each) => withImports(each).has(name))
  expect(Object.keys(manifest).filter(needsItself)).toEqual([])
})

test('the font of the text is preloaded, as the styles name it for Latin script, in at most 25 kB', () => {
  const [, font = ''] = /<link rel="preload" href="\/integrations\/(assets\/inter-latin-[\w-]+\.woff2)" as="font"/.exec(page) ?? []
  const styles = first.flatMap((name) => manifest[name]?.css ?? []).map((file) => readFileSync(join(bundle, file), 'utf8'))
  const latin = [...styles.join('').matchAll(/@font-face\{font-family:Inter Variable[^}]*U\+\?\?[^}]*\}/g)].map(String)
  // Of two for the same characters, browsers load the last.
  expect(latin.at(-1)).toContain(basename(font))
  expect(readFileSync(join(bundle, font)).length).toBeLessThanOrEqual(25_000)
})

test('charts, calendars and the 3D viewer are loaded only by the pages that show them', () => {
  const texts = first.map((name) => readFileSync(join(bundle, manifest[name]?.file ?? ''), 'utf8'))
  for (const sign of ['recharts', 'dayjs', 'model-viewer']) expect(texts.some((text) => text.includes(sign))).toBe(false)
})

test('each screen is a separate chunk, and so is the page of a family', () => {
  const entries = first.flatMap((name) => manifest[name]?.dynamicImports ?? [])
  const needed = ['HomePage.tsx', 'NotFoundPage.tsx']
  const screens = globSync('pages/**/*Page.tsx', { cwd: join(import.meta.dirname, '../../src/admin-ui') })
  const alone = screens.filter((name) => !needed.includes(basename(name)))
  expect(entries.filter((name) => /^pages\/.*Page\.tsx$/.test(name)).toSorted()).toEqual(alone.toSorted())
})
