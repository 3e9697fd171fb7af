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
 * Creates the cluster in one step: it stands at its place complete or not at all, however this ends. UTF-8, ordered by code point
 * with PostgreSQL's own rules, so that no locale of the machine matters; passwords are asked of everybody. It is made in a folder of the
 * account that runs PostgreSQL, which need not be able to enter any folder above.
 * Throws {@link DatabaseStartError} with the words of `initdb`.
 */
export async function createCluster(request: ClusterRequest): Promise<void> {
  const { folder, account } = request
  const draft = await mkdtemp(join(folder, draftPrefix))
  const made = join(draft, 'cluster')
  try {
    await mkdir(made, { mode: 0o700 })
    await writeFile(join(draft, passwordFile), `${request.password}\n`, { mode: 0o600, flag: 'wx' })
    // Programs before PostgreSQL 16 come back to their working folder by its path.
    if (account !== undefined && request.binaries.major < 16) await chmod(folder, 0o711)
    if (account !== undefined) for (const each of [made, join(draft, passwordFile), draft]) await chown(each, account.uid, account.gid)
    await runInitdb(request, made)
    await rename(made, request.cluster)
    await syncFolder(folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes what a start that was killed left half-made. Its `initdb` may still be at work there for a moment; then the next start cleans up. */
export async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(draftPrefix))
  await Promise.allSettled(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/**
 * How a program that runs as `account` inside `folder` names that folder. On Linux the kernel's own link to the working folder, which
 * opens even when a parent, such as /root, is closed to the account.
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

/** What another server's programs, older than those that come with the package, take of the same wishes. */
function initdbOptionsFor(major: number): string[] {
  // Earlier ones have the system's locale of that name, which orders alike.
  const locale = major < 17 ? ['--locale=C.UTF-8'] : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // Shared memory in the cluster's own files: in /dev/shm it is scarce in containers, and a killed start would leave it there.
  return major < 16 ? locale : [...locale, '--set=dynamic_shared_memory_type=mmap']
}

/** Without it a power cut right after could lose the new name while the database already says that it has written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
