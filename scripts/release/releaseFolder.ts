import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { readBuildContext } from './buildContext.ts'

const topFolders = ['bin', 'catalog', 'clients', 'deploy', 'docs', 'migrations', 'scripts', 'src']

/** The files that `npm ci --omit=dev` and the service need, the docs, and the deployment files. */
const released = new RegExp(
  `^(?:${[
    String.raw`package(?:-lock)?\.json|\.npmrc|LICENSE|(?:CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|exec\.cmd`,
    // A file without extension is not ours, but `.dockerignore` cannot exclude it below catalog, migrations and src.
    String.raw`(?:bin|catalog|migrations|docs|deploy)/.*\.[^/]+`,
    // The admin UI is released as a bundle.
    String.raw`src/(?!admin-ui/).*\.[^/]+`,
    String.raw`scripts/(?:prepare|linkNode)\.js`,
    String.raw`clients/(?:typescript|python)/README\.md`,
  ].join('|')})$`,
)
const builtUi = 'dist/admin-ui'

/**
 * Copies a release of the source folder `from` into the new folder `to`: the files that `.dockerignore` allows and, in a checkout, Git
 * tracks. Other files may contain an operator's secrets. The admin UI must be built.
 */
export async function fillReleaseFolder({ from, to }: { from: string; to: string }): Promise<void> {
  const isInContext = await readBuildContext(from)
  const paths = (await filesOf(from)).filter((path) => released.test(path) && isInContext(path))
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(join(from, path), join(to, path))
  }
  await cp(join(from, builtUi), join(to, builtUi), { recursive: true })
}

/** In an image build there is no `.git`; its context has only the files that `.dockerignore` allows. */
async function filesOf(folder: string): Promise<string[]> {
  if (existsSync(join(folder, '.git'))) {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: folder, maxBuffer: 2 ** 26 })
    return stdout.split('\0').filter((path) => path !== '')
  }
  const inFolders = topFolders.map(async (name) => {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  })
  const atTop = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
  return [...atTop, ...(await Promise.all(inFolders)).flat()]
}
