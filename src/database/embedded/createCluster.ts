import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Account } from './postgresAccount.ts'
import type { PostgresBinaries } from './postgresBinaries.ts'

const run = promisify(execFile)
const draftPrefix = 'creating-'
const passwordFile = 'password'

export type ClusterRequest = {
  folder: string
  cluster: string
  binaries: Pick<PostgresBinaries, 'initdb' | 'major'>
  account: Account | undefined
  userName: string
  password: string
}

/**
 * Creates the cluster atomically: its folder is complete or does not exist. UTF-8, sorted by code point with PostgreSQL's own provider,
 * independent of the machine's locales. Every connection needs a password. `initdb` runs in a folder of the account that runs PostgreSQL,
 * which may have no access to the parent folders. Throws {@link DatabaseStartError} with the output of `initdb`.
 */
export async function createCluster(request: ClusterRequest): Promise<void> {
  const { folder, account } = request
  const draft = await mkdtemp(join(folder, draftPrefix))
  const made = join(draft, 'cluster')
  try {
    await mkdir(made, { mode: 0o700 })
    await writeFile(join(draft, passwordFile), `${request.password}\n`, { mode: 0o600, flag: 'wx' })
    // Programs before PostgreSQL 16 return to their working folder by its path.
    if (account !== undefined && request.binaries.major < 16) await chmod(folder, 0o711)
    if (account !== undefined) for (const each of [made, join(draft, passwordFile), draft]) await chown(each, account.uid, account.gid)
    await runInitdb(request, made)
    await rename(made, request.cluster)
    await syncFolder(folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes incomplete clusters of killed starts. If an `initdb` still writes there, the next start removes it. */
export async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(draftPrefix))
  await Promise.allSettled(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/**
 * Returns the argument by which a program that runs as `account` inside `folder` opens that folder. On Linux, the kernel's link to the
 * working folder, which works even if the account has no access to a parent such as /root.
 */
export function folderArgument(folder: string, account: Account | undefined): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

async function runInitdb({ binaries, account, userName }: ClusterRequest, made: string): Promise<void> {
  const argument = folderArgument(made, account)
  const options = [
    `--pgdata=${argument}`,
    `--username=${userName}`,
    `--pwfile=${argument}/../${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...initdbOptionsFor(binaries.major),
  ]
  try {
    await run(binaries.initdb, options, { ...account, cwd: made, env: { PATH: '/usr/bin:/bin' }, timeout: 120_000 })
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string }
    const words = stderr?.split('\n').find((line) => /error|fatal|could not|cannot|no space/i.test(line)) ?? message
    throw new DatabaseStartError(`the embedded database could not be created: ${words}`, { cause })
  }
}

/** The equivalent options for older programs than those of the package. */
function initdbOptionsFor(major: number): string[] {
  // Earlier versions use the system's locale of that name, which sorts the same.
  const locale = major < 17 ? ['--locale=C.UTF-8'] : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // Shared memory in the cluster's files: containers have little /dev/shm, and a killed start would leave it there.
  return major < 16 ? locale : [...locale, '--set=dynamic_shared_memory_type=mmap']
}

/** Without it, a power failure could undo the rename after the database has confirmed writes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
