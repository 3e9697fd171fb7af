import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** A release before this one. `lastMigration`: the number of the one that it ended with. */
export type Release = { version: string; commit: string; lastMigration: number }

/** What keeps the release before from being found or installed, in words for whoever called. */
export class NoPreviousRelease extends Error {}

/**
 * The newest release that `migrations/releases.json` names beside this one, at the commit just before the first migration that it has not:
 * later ones carry its number too, until that is raised. `from` names another commit.
 * Throws {@link NoPreviousRelease} where the history does not reach so far back.
 */
export async function findPreviousRelease(from: string | undefined): Promise<Release> {
  const releases = JSON.parse(await readFile(join(root, 'migrations/releases.json'), 'utf8')) as Record<string, number>
  const current = await versionAt('HEAD')
  const found = Object.entries(releases).findLast(([version]) => version !== current)
  if (found === undefined) throw new NoPreviousRelease('migrations/releases.json names no release before this one')
  const [version, lastMigration] = found
  const commit = await git('rev-parse', '--verify', '--quiet', `${from ?? (await commitBefore(lastMigration))}^{commit}`).catch(
    () => undefined,
  )
  if (commit === undefined || (await versionAt(commit)) !== version) {
    throw new NoPreviousRelease(`${from ?? 'the history'} does not hold ${version}: in a shallow clone run git fetch --unshallow first`)
  }
  return { version, commit, lastMigration }
}

/** The parent of the first commit that brings a migration with a higher number. */
async function commitBefore(lastMigration: number): Promise<string> {
  const log = await git('log', '--reverse', '--diff-filter=A', '--format=commit %H', '--name-only', '--', 'migrations/[0-9]*.sql')
  let commit = 'HEAD'
  for (const line of log.split('\n')) {
    if (line.startsWith('commit ')) commit = line.slice('commit '.length)
    else if (Number.parseInt(line.slice('migrations/'.length), 10) > lastMigration) return `${commit}^`
  }
  return 'HEAD'
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
    // Its pages and generated types are not needed here.
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: draft, maxBuffer: 2 ** 26 })
    // Those workers run under an account of their own.
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
