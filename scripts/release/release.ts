import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildAdminUi } from './adminUi.ts'
import { fillReleaseFolder } from './releaseFolder.ts'

/**
 * Packs a release for production, to unpack before `npm ci --omit=dev`, with the built admin UI: dist/atelier-<version>.tar.gz, or the
 * folder in the argument.
 */
const root = join(import.meta.dirname, '../..')
const [folder] = process.argv.slice(2)
await buildAdminUi()
if (folder === undefined) await makeTarball()
else await fillReleaseFolder({ from: root, to: resolve(folder) })

async function makeTarball(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const name = `atelier-${version}`
  const file = join(root, 'dist', `${name}.tar.gz`)
  const aside = await mkdtemp(join(tmpdir(), 'atelier-release-'))
  try {
    await fillReleaseFolder({ from: root, to: join(aside, name) })
    await mkdir(join(root, 'dist'), { recursive: true })
    // Numeric owner 0 and sorted names, for the same archive on every machine.
    await promisify(execFile)('tar', ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-czf', file, '-C', aside, name])
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  process.stdout.write(`${file}\n`)
}
