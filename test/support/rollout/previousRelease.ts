import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrationsFolder } from '../../../src/database/migrations/migrationFiles.ts'
import { readReleases } from '../../../src/database/migrations/releases.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** An earlier release. */
export type Release = { version: string; commit: string }

/** The reason why the previous release cannot be found or installed. */
export class NoPreviousRelease extends Error {}

/** The migrations and functions of the previous release, as `npm run release:keep` stored them, and the commit that they are from. */
export const previousMigrations = join(import.meta.dirname, 'previousMigrations')
export const commitFile = join(previousMigrations, 'commit.txt')

/**
 * The newest release that `migrations/releases.json` names, at the commit that `npm run release:keep` stored. `from` names another commit.
 * Throws {@link NoPreviousRelease} if the Git history does not contain it.
 */
export async function findPreviousRelease(from: string | undefined): Promise<Release> {
  const newest = (await readReleases(migrationsFolder)).at(-1)
  if (newest === undefined) throw new NoPreviousRelease('migrations/releases.json names no release before this one')
  const named = from ?? (await readFile(commitFile, 'utf8')).trim()
  const commit = await git('rev-parse', '--verify', '--quiet', `${named}^{commit}`).catch(() => undefined)
  if (commit === undefined || (await versionAt(commit)) !== newest.version) {
    throw new NoPreviousRelease(
      `${from ?? 'the history'} does not hold ${newest.version}: in a shallow clone run git fetch --unshallow first`,
    )
  }
  return { version: newest.version, commit }
}

async function versionAt(commit: string): Promise<string | undefined> {
  const text = await git('show', `${commit}:package.json`).catch(() => '{}')
  return (JSON.parse(text) as { version?: string }).version
}

/**
 * Its files with the packages of its own lock file, in a folder for temporary files, which is kept for the next time. A whole checkout outside
 * of `node_modules`: Node runs no TypeScript below that, and workers that decode media may read nothing outside of theirs.
 */
export async function checkOut({ commit }: Release): Promise<string> {
  const place = join(tmpdir(), `atelier-release-${commit.slice(0, 12)}`)
  if (existsSync(place)) return place
  const draft = await mkdtemp(`${place}-`)
  try {
    await run('/bin/sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, draft], { cwd: root })
    // Skips the build of its pages and generated types.
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: draft, maxBuffer: 2 ** 26 })
    // The workers run under a separate account.
    await chmod(draft, 0o755)
    await rename(draft, place)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return place
}

async function git(...words: string[]): Promise<string> {
  return (await run('git', words, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim()
}
