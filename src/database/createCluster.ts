import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from './databaseStartError.ts'
import type { Account } from './postgresAccount.ts'
import type { PostgresBinaries } from './postgresBinaries.ts'

const run = promisify(execFile)
const draftPrefix = 'creating-'

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
 * with PostgreSQL's own rules, so that no locale of the machine matters; passwords are asked of everybody.
 * Throws {@link DatabaseStartError} with the words of `initdb`.
 */
export async function createCluster(request: ClusterRequest): Promise<void> {
  const { folder, account } = request
  const draft = await mkdtemp(join(folder, draftPrefix))
  const passwordFile = `${draft}.password`
  try {
    await writeFile(passwordFile, `${request.password}\n`, { mode: 0o600, flag: 'wx' })
    if (account !== undefined) {
      // The account enters the draft, and its parent's names from there, without being able to reach either by path.
      await chmod(folder, 0o711)
      await chown(draft, account.uid, account.gid)
      await chown(passwordFile, account.uid, account.gid)
    }
    await runInitdb(request, draft, passwordFile)
    await rename(draft, request.cluster)
    await syncFolder(folder)
  } finally {
    await rm(passwordFile, { force: true })
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

async function runInitdb({ binaries, account, userName }: ClusterRequest, draft: string, passwordFile: string): Promise<void> {
  const argument = folderArgument(draft, account)
  const passwordArgument = argument === draft ? passwordFile : `${argument}/../${passwordFile.slice(passwordFile.lastIndexOf('/') + 1)}`
  const options = [
    `--pgdata=${argument}`,
    `--username=${userName}`,
    `--pwfile=${passwordArgument}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...optionsOfMajor(binaries.major),
  ]
  try {
    await run(binaries.initdb, options, { ...account, cwd: draft, env: { PATH: '/usr/bin:/bin' }, timeout: 120_000 })
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string }
    const words = stderr?.split('\n').find((line) => /error|fatal|could not|cannot|no space/i.test(line)) ?? message
    throw new DatabaseStartError(`the embedded database could not be created: ${words}`, { cause })
  }
}

/** What another server's programs, older than those that come with the package, take of the same wishes. */
function optionsOfMajor(major: number): string[] {
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
