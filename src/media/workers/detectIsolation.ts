import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Account } from './workerMessages.ts'

/** What stands before the program of a worker, and who it runs as. */
export type Isolation = {
  command: readonly string[]
  /** The account of the worker; `undefined` for our own. */
  account: Account | undefined
  /** Whether nothing in `command` gives the worker its account, so that it takes it on by itself. */
  switchesAccountItself: boolean
}

/**
 * What this machine offers to lock a worker in, found out once by trying: limits, a network namespace with nothing in it, another
 * account, no way to gain rights. All of it comes with Linux and util-linux. Where a part is not to be had, such as namespaces in many
 * containers, the others hold, and those of Node always do.
 */
export async function detectIsolation(): Promise<Isolation> {
  detected ??= probeIsolation()
  const { limits, network, rights, isRoot } = await detected
  const account = isRoot ? unusedAccount() : undefined
  const hasRights = rights.length > 0
  const own = hasRights && account ? ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'] : []
  const command = [...limits, ...network, ...rights, ...own, ...(hasRights ? ['--'] : [])]
  return { command, account, switchesAccountItself: account !== undefined && !hasRights }
}

/** Whether we are root, and others may read our code, which may lie in a folder of root's own. */
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

/** The first of the commands that this machine has and that runs Node as it should; nothing when there is none. */
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

/** From the range that systemd draws such numbers from. */
const accountsFrom = 61_184
const accountsTo = 65_519

/** A number that belongs to nobody, and to no other worker either, so that none gets at another's memory or files. */
function unusedAccount(): Account {
  const id = randomInt(accountsFrom, accountsTo + 1)
  return { uid: id, gid: id }
}
