import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const delayMs = 1
const loss = 0.01
const namespaceMs = 5_000

/** The addresses of both hosts on the bad line, and on the clean network of callers, vendors and receivers. */
export const addresses = {
  a: { line: '10.77.1.1', open: '10.77.2.1' },
  b: { line: '10.77.1.2', open: '10.77.2.2' },
} as const

export const networkBlock = '10.77.0.0/16'

/** Two hosts: A is the network namespace of this process, B another one. */
export type HostsNetwork = {
  /** The words before a command that run it on host B; as the account, if given. */
  onB(account?: { uid: number; gid: number }): string[]
  /** Drops all packets of the line between the hosts, in silence. */
  cutLine(): void
  mendLine(): void
  /** Disconnects host B from callers, vendors and receivers. */
  cutOpen(): Promise<void>
  mendOpen(): Promise<void>
  /** The packets that the line has forwarded, lost and cut. */
  countPackets(): Promise<string>
  close(): Promise<void>
}

/**
 * Makes host B, a line to it of 2 ms (both ways) and 1 % loss, and a clean network. The caller's process must have a network namespace of
 * its own. Needs root and /dev/net/tun.
 */
export async function openNetwork(): Promise<HostsNetwork> {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const program = join(import.meta.dirname, 'line.py')
  const line = spawn('python3', [program, 'line-a', 'line-b', String(delayMs), String(loss)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: line.stdout })
  const close = async () => {
    lines.close()
    await Promise.all([holder, line].map(end))
  }
  const namespace = `/proc/${holder.pid}/ns/net`
  const onB: HostsNetwork['onB'] = (account) => {
    const ids = account ? ['--setuid', String(account.uid), '--setgid', String(account.gid)] : []
    return ['nsenter', `--net=${namespace}`, ...ids, '--']
  }
  const ip = (host: 'a' | 'b', ...args: string[]) => {
    const [program = '', ...given] = [...(host === 'b' ? onB() : []), 'ip', ...args]
    return run(program, given)
  }
  try {
    await Promise.all([otherNamespace(namespace), once(lines, 'line')])
    await ip('a', 'link', 'add', 'open-a', 'type', 'veth', 'peer', 'name', 'open-b', 'netns', String(holder.pid))
    await ip('a', 'link', 'set', 'line-b', 'netns', String(holder.pid))
    for (const host of ['a', 'b'] as const) {
      await ip(host, 'link', 'set', 'lo', 'up')
      for (const kind of ['line', 'open'] as const) {
        await ip(host, 'address', 'add', `${addresses[host][kind]}/24`, 'dev', `${kind}-${host}`)
        await ip(host, 'link', 'set', `${kind}-${host}`, 'up')
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    onB,
    cutLine: () => void line.stdin.write('cut\n'),
    mendLine: () => void line.stdin.write('mend\n'),
    cutOpen: async () => void (await ip('a', 'link', 'set', 'open-a', 'down')),
    mendOpen: async () => void (await ip('a', 'link', 'set', 'open-a', 'up')),
    async countPackets() {
      const answer = once(lines, 'line')
      line.stdin.write('count\n')
      return String((await answer)[0])
    },
    close,
  }
}

/** `unshare` has made its namespace once it differs from this process's. */
async function otherNamespace(path: string): Promise<void> {
  const own = await readlink('/proc/self/ns/net')
  for (const until = performance.now() + namespaceMs; performance.now() < until; await pause(10)) {
    if ((await readlink(path).catch(() => own)) !== own) return
  }
  throw new Error('the network namespace of host B was not made')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
