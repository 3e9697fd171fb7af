import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/http/docs/renderMarkdown.ts'

const root = join(import.meta.dirname, '../..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)

/** Files and folders by their path, by their path below `src`, and files by their name; and a package whose name looks like a file. */
const known = new Set([
  'ipaddr.js',
  ...files.flatMap((path) => [...withFolders(path), ...withFolders(path).map((each) => each.replace(/^src\//, '')), basename(path)]),
])

const documents = [
  ...['CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md'],
  ...readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
]

test.each(documents)('every source file and folder that %s names exists', (document) => {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path.replace(/\/$/, ''))
  expect(named.filter((path) => isSourcePath(path) && !known.has(path))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.github/pull_request_template.md'])(
  'every link of %s leads to a file and a heading of the repository',
  (document) => {
    const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)]
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = join(root, path || document)
      return !existsSync(target) || (anchor !== '' && !headingsOf(target).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  },
)

test('the folders in the picture of docs/architecture.md are those of src', () => {
  const rooms = readdirSync(join(root, 'src'))
  const [, picture = ''] = /```\n(catalog\/.*?)```/s.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? []
  expect(
    [...picture.matchAll(/^ {2}([\w-]+)\/ /gm)]
      .map(([, name]) => name)
      .toSorted((left, right) => String(left).localeCompare(String(right))),
  ).toEqual(rooms.toSorted((left, right) => String(left).localeCompare(String(right))))
})

/** The anchors of its headings, as the site and GitHub make them. */
function headingsOf(path: string): string[] {
  const { headings } = renderMarkdown(readFileSync(path, 'utf8'), { origin: '', linkOf: (href) => href })
  return headings.map(({ id }) => id)
}

/** Of names in backticks, those of files of ours, and of folders below one of the folders at the top. */
function isSourcePath(name: string): boolean {
  if (/[*<>…]/.test(name) || /^[@.]/.test(name)) return false
  return (
    /^[\w./-]+\.(?:tsx?|js|sql|jsonc?|md|ya?ml)$/.test(name) ||
    /^(?:bench|bin|catalog|clients|deploy|docs|examples|migrations|scripts|src|test)\//.test(name)
  )
}

/** `a/b/c.ts` with `a/b` and `a`. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
