import { cp, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** What `npm ci --omit=dev` and the service need; beside it what a reader of `/docs` and of the machine's folder looks for. */
const released = [
  ...['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'README.md', 'exec.cmd'],
  ...['bin', 'catalog', 'migrations', 'src', 'docs', 'deploy', 'dist/admin-ui'],
  ...['scripts/prepare.js', 'scripts/linkNode.js', 'scripts/compileAhead.js'],
  ...['clients/typescript/README.md', 'clients/python/README.md'],
]
/** Sources of what is released as it was built. */
const leftOut = ['src/admin-ui']

/** Copies a release into the folder `to`, which it makes. The admin UI has to be built. */
export async function fillReleaseFolder(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const path of released) {
    await cp(join(root, path), join(to, path), { recursive: true, filter: (from) => !leftOut.includes(relative(root, from)) })
  }
}
