import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkOut, findPreviousRelease } from '../../../test/support/rollout/previousRelease.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** The file that `npm run release` makes. */
export type ReleaseArchive = { version: string; archive: string }

export type Releases = { previous: ReleaseArchive; current: ReleaseArchive }

/** Packs this release, and the previous one from the Git history. The archive of the previous one is kept beside its checkout. */
export async function packReleases(): Promise<Releases> {
  const current = await packRelease(root)
  const { sources } = await checkOutPrevious()
  const previous = await archiveIn(sources)
  return { previous: existsSync(previous.archive) ? previous : await packRelease(sources), current }
}

/** The sources of the previous release. */
export async function checkOutPrevious(): Promise<{ version: string; sources: string }> {
  const release = await findPreviousRelease(undefined)
  return { version: release.version, sources: await checkOut(release) }
}

async function packRelease(sources: string): Promise<ReleaseArchive> {
  await run('npm', ['run', '-s', 'release'], { cwd: sources, maxBuffer: 2 ** 26, timeout: 300_000 })
  return archiveIn(sources)
}

async function archiveIn(sources: string): Promise<ReleaseArchive> {
  const { version } = JSON.parse(await readFile(join(sources, 'package.json'), 'utf8')) as { version: string }
  return { version, archive: join(sources, 'dist', `atelier-${version}.tar.gz`) }
}
