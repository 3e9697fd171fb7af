import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Account } from './workerMessages.ts'

/** The command prefix of a worker, and its account. */
export type Isolation = {
  command: readonly string[]
  /** The account of the worker; `undefined` for the account of this process. */
  account: Account | undefined
  /** True when `command` cannot switch the account, so the worker does it itself. */
  switchesAccountItself: boolean
}

/**
 * Detects once, by trying, how this machine can confine a worker: resource limits, an empty network namespace, another account, no new
 * privileges. All need Linux and util-linux. Where one is missing, such as namespaces in many containers, the others and Node's own
 * permissions still apply.
 */
export async function detectIsolation(): Promise<Isolation> {
  detected ??= probeIsolation()
  const { limits, network, rights, isRoot } = await detected
  const account = isRoot ? unusedAccount() : undefined
  const hasRights = rights.length > 0
  const switchAccount = hasRights && account ? ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'] : []
  const command = [...limits, ...network, ...rights, ...switchAccount, ...(hasRights ? ['--'] : [])]
  return { command, account, switchesAccountItself: account !== undefined && !hasRights }
}

/** `isRoot`: this process is root, and other accounts can read our code. */
type IsolationCommands = { limits: string[]; network: string[]; rights: string[]; isRoot: boolean }

let detected: Promise<IsolationCommands> | undefined

async function probeIsolation(): Promise<IsolationCommands> {
  const isRoot = process.getuid?.() === 0
  const limits = await firstWorking([['prlimit', '--core=0', '--nofile=1024', '--fsize=1073741824', '--']], [])
  const namespaces = isRoot ? ['--net'] : ['--user', '--map-current-user', '--net']
  const network = await firstWorking([['unshare', ...namespaces, '--']], limits)
  const noRights = ['setpriv', '--no-new-privs']
  const rights = await firstWorking([[...noRights, '--bounding-set=-all', '--inh-caps=-all'], noRights], [...limits, ...network])
  return { limits, network, rights, isRoot: isRoot && (await isReadableByOthers()) }
}

/** Returns the first command that exists on this machine and can run Node; empty when there is none. */
async function firstWorking(commands: string[][], before: string[]): Promise<string[]> {
  for (const [name = '', ...options] of commands) {
    const path = folders.map((folder) => `${folder}/${name}`).find((candidate) => existsSync(candidate))
    if (path === undefined) continue
    const command = [path, ...options]
    const end = options.at(-1) === '--' ? [] : ['--']
    if (await runs([...before, ...command, ...end, process.execPath, '--version'])) return command
  }
  return []
}

const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

function isReadableByOthers(): Promise<boolean> {
  const main = fileURLToPath(new URL('./child/main.ts', import.meta.url))
  return runs([process.execPath, '-e', 'require("node:fs").readFileSync(process.argv[1])', main], unusedAccount())
}

function runs([file = '', ...args]: string[], account: Partial<Account> = {}): Promise<boolean> {
  const options = { ...account, env: {}, cwd: '/', timeout: 10_000, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => execFile(file, args, options, (error) => resolve(error === null)))
}

/** The range of dynamic users in systemd. */
const accountsFrom = 61_184
const accountsTo = 65_519

/** A user id without an account, different for each worker, so that workers cannot access each other's memory or files. */
function unusedAccount(): Account {
  const id = randomInt(accountsFrom, accountsTo + 1)
  return { uid: id, gid: id }
}
