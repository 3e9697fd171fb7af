import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../databaseStartError.ts'
import { linkLibraries } from './linkLibraries.ts'
import { packagedPrograms } from './packagedPrograms.ts'
import type { Account } from './postgresAccount.ts'

const run = promisify(execFile)

/** For root, the folder of the copy for the PostgreSQL account: only root may write there, and it can be recreated at any time. */
const cacheFolder = '/var/cache/atelier'

const packagedMajor = 18

export type PostgresBinaries = { initdb: string; postgres: string; major: number }

type BinariesOptions = { account: Account | undefined; ownFolder: string; programs?: string | undefined }

/**
 * Returns the PostgreSQL programs for this machine, complete and executable by `account`. If the package is in a folder that the account
 * cannot access (a checkout in /root), or is incomplete and read-only (an image), a copy is used: in /var/cache for root, else in
 * `ownFolder`. PostgreSQL resolves its own path and libraries, so a link would not work. `programs` is a folder of other programs instead.
 * Throws {@link DatabaseStartError} if there are no programs for the platform or they do not run.
 */
export async function postgresBinaries(options: BinariesOptions): Promise<PostgresBinaries> {
  const { account, ownFolder, programs } = options
  if (programs !== undefined) return externalPrograms(programs, account)
  const found = packagedPrograms()
  if (await linkLibraries(found)) {
    if (account === undefined || (await runFailure(found, account)) === undefined) return programsIn(found)
  }
  const copy = await cachedCopy(found, account === undefined ? join(ownFolder, 'programs') : cacheFolder)
  const refusal = await runFailure(copy, account)
  if (refusal !== undefined) {
    const user = account?.uid ?? process.getuid?.()
    throw new DatabaseStartError(`PostgreSQL does not run as user id ${user} from ${copy}: ${refusal}. Set DATABASE_URL instead`)
  }
  return programsIn(copy)
}

/** Whether the PostgreSQL programs of the package are installed; an image omits them. */
export function hasPrograms(): boolean {
  try {
    return existsSync(join(packagedPrograms(), 'bin', 'postgres'))
  } catch {
    return false
  }
}

function programsIn(folder: string): PostgresBinaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres'), major: packagedMajor }
}

async function externalPrograms(programs: string, account: Account | undefined): Promise<PostgresBinaries> {
  const postgres = join(programs, 'postgres')
  try {
    const { stdout } = await run(postgres, ['--version'], { ...account, cwd: '/', timeout: 10_000 })
    return { initdb: join(programs, 'initdb'), postgres, major: Number.parseInt(/\d+/.exec(stdout)?.[0] ?? '', 10) }
  } catch (cause) {
    throw new DatabaseStartError(`${programs} contains no PostgreSQL that runs here: ${(cause as Error).message}`, { cause })
  }
}

/** Runs the program instead of checking modes: libraries, mount options and access lists matter too. */
async function runFailure(folder: string, account: Account | undefined): Promise<string | undefined> {
  try {
    await run(programsIn(folder).postgres, ['--version'], { ...account, cwd: '/', timeout: 10_000 })
    return undefined
  } catch (error) {
    return String((error as { stderr?: string }).stderr || (error as Error).message).trim()
  }
}

async function cachedCopy(folder: string, cache: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(cache, `postgres-${version}-${process.platform}-${process.arch}`)
  try {
    await mkdir(cache, { recursive: true })
    await chmod(cache, 0o755)
    if (await folderExists(copy)) return copy
    const draft = await mkdtemp(`${copy}-`)
    try {
      await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
      await linkLibraries(draft)
      await makeWorldReadable(draft)
      await rename(draft, copy)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      if (!(await folderExists(copy))) throw error
    }
    return copy
  } catch (cause) {
    const reason = (cause as Error).message
    throw new DatabaseStartError(`PostgreSQL cannot run from ${folder}, and a copy failed: ${reason}. Set DATABASE_URL instead`, {
      cause,
    })
  }
}

async function folderExists(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => [])).length > 0
}

/** After an install with a strict umask, the account would have no access to the copy. */
async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makeWorldReadable(path)
    else if (entry.isFile()) await chmod(path, 0o755)
  }
}
