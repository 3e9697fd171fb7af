import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBuildContext } from '../../../scripts/release/buildContext.ts'
import { fillReleaseFolder } from '../../../scripts/release/releaseFolder.ts'

const repository = join(import.meta.dirname, '../../..')
const canary = 'canary-8f1c-secret-of-production'
/** Files where operators put settings, by our docs or by habit. */
const secretFiles = [
  ...['deploy/.env', 'deploy/.env.production', 'deploy/kubernetes/atelier-secrets.yaml', 'deploy/kubernetes/secret.yaml'],
  ...['deploy/systemd/atelier.env', '.env', 'catalog/key.txt', 'src/.env', 'docs/notes.txt', 'bin/.npmrc', 'migrations/dump.csv'],
]
/** The build stage of an image may read these, the release has none of them. */
const withoutExtension = ['catalog/token', 'migrations/dump', 'src/a/secrets']
/** Files that README.md links to. */
const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/a.md', 'docs/decisions/0001-a.md']
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' }).split('\0').filter(Boolean)

test.each(['a checkout', 'an image build, which has no .git'])(
  'a release from %s contains no files that an operator keeps beside the sources',
  async (kind) => {
    const from = await sources()
    if (kind === 'a checkout') {
      execFileSync('git', ['init', '--quiet'], { cwd: from })
      execFileSync('git', ['add', '--all'], { cwd: from })
    }
    for (const path of [...secretFiles, ...withoutExtension]) await put(join(from, path), canary)
    const to = join(from, '..', 'release')
    await fillReleaseFolder({ from, to })
    const released = await filesBelow(to)
    expect(released).toEqual(expect.arrayContaining(['deploy/kubernetes/secret.example.yaml', 'dist/admin-ui/index.html', 'src/index.ts']))
    expect(released).toEqual(expect.arrayContaining(documents))
    for (const path of released) expect([path, (await readFile(join(to, path), 'utf8')).includes(canary)]).toEqual([path, false])
  },
)

test('an image is built from tracked files only, and from all files of a release', async () => {
  const isInContext = await readBuildContext(repository)
  for (const path of [...secretFiles, '.git/config', 'node_modules/a/index.js', 'src/node_modules/a/index.js', '.data/secret.key']) {
    expect([path, isInContext(path)]).toEqual([path, false])
  }
  const leftOut = tracked.filter((path) => /^(?:bin|catalog|deploy|docs|migrations|scripts|src)\//.test(path) && !isInContext(path))
  expect(leftOut).toEqual([])
})

test('buildah enters every folder of the files that an image is built from', async () => {
  const isInContext = await readBuildContext(repository)
  const included = (await readFile(join(repository, '.dockerignore'), 'utf8')).split('\n').filter((line) => line.startsWith('!'))
  const isEntered = (folder: string) => isInContext(folder) || included.some((line) => line.startsWith(`!${folder}/`))
  const folders = new Set(tracked.filter(isInContext).flatMap(foldersOf))
  expect([...folders].filter((folder) => !isEntered(folder))).toEqual([])
})

test('Git ignores the settings and secrets that the deployment docs describe', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).split('\n').filter(Boolean)
  const filledIn = ['deploy/.env', 'deploy/kubernetes/atelier-secrets.yaml', '.env', '.env.production']
  expect(git('check-ignore', '--no-index', ...filledIn)).toEqual(filledIn)
  expect(git('ls-files', '--cached', '--ignored', '--exclude-standard')).toEqual([])
})

/** Creates a small source folder with the real ignore rules. */
async function sources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const from = join(folder, 'source')
  for (const path of ['.dockerignore', '.gitignore', 'deploy/kubernetes/secret.example.yaml']) {
    await mkdir(dirname(join(from, path)), { recursive: true })
    await cp(join(repository, path), join(from, path))
  }
  for (const path of [
    'src/index.ts',
    'bin/atelier.js',
    'catalog/a/b.json',
    ...documents,
    'migrations/0001.sql',
    'scripts/prepare.js',
    'clients/python/README.md',
  ])
    await put(join(from, path), 'content')
  await put(join(from, 'dist/admin-ui/index.html'), 'content')
  return from
}

/** All folders above a file: `a` and `a/b` for `a/b/c.ts`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
