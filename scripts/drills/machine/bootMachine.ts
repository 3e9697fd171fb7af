import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childrenOf, signal } from '../../../test/support/chaos/descendants.ts'

const run = promisify(execFile)
const bootSeconds = 90

/** A machine in namespaces of its own, with systemd as process 1. It shares the network of this process. */
export type Machine = {
  root: string
  /** Starts systemd and waits until it has started the enabled units. */
  boot(): Promise<void>
  /** Runs a shell command as root and returns its output; throws when it fails. */
  sh(command: string, options?: { env?: Record<string, string>; network?: string }): Promise<string>
  /** Kills every process at once, as a power failure does. */
  cutPower(): Promise<void>
}

const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: '/root' }

/** Returns a stopped machine with its files in the folder `root`. `bound`: folders of the host by their paths in the machine. Needs root. */
export async function makeMachine(root: string, bound: Record<string, string> = {}): Promise<Machine> {
  const group = join(await unifiedHierarchy(), `atelier-machine-${process.pid}`)
  let holder: ChildProcess | undefined
  let init: number | undefined

  const sh: Machine['sh'] = async (command, { env = {}, network } = {}) => {
    const entered = ['--target', String(init), '--mount', '--pid', '--uts', '--ipc', '--cgroup']
    const words = [...entered, ...(network === undefined ? [] : [`--net=${network}`]), 'sh', '-ec', command]
    const { stdout } = await run('nsenter', words, { env: { ...environment, ...env }, maxBuffer: 2 ** 26, timeout: 300_000 })
    return stdout.trim()
  }
  return {
    root,
    sh,
    async boot() {
      await mkdir(group, { recursive: true })
      const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--uts', '--ipc', '--cgroup']
      const binds = Object.entries(bound).flatMap(([there, here]) => [there, here])
      const enter = 'echo 0 > "$1/cgroup.procs"; shift; exec "$@"'
      const words = ['-ec', enter, 'sh', group, 'unshare', ...namespaces, 'sh', '-ec', bootScript, 'sh', root, ...binds]
      holder = spawn('sh', words, { stdio: ['ignore', 'ignore', 'pipe'] })
      let faults = ''
      holder.stderr?.on('data', (chunk) => (faults += chunk))
      const deadline = performance.now() + bootSeconds * 1000
      for (let state = ''; !/^(running|degraded)/.test(state); await pause(200)) {
        ;[init] = await childrenOf(holder.pid)
        state = init === undefined ? '' : await sh('systemctl is-system-running || true').catch(() => '')
        if (holder.exitCode !== null || performance.now() > deadline)
          throw new Error(`systemd did not start: ${state || 'no answer'} ${faults}`)
      }
    },
    async cutPower() {
      if (holder === undefined || holder.exitCode !== null || holder.signalCode !== null) return
      const exited = once(holder, 'exit')
      if (init !== undefined) signal(init, 'SIGKILL')
      await exited
      await removeGroups(group)
    },
  }
}

/** Removes control groups without processes, the deepest first. */
async function removeGroups(group: string): Promise<void> {
  const { stdout } = await run('find', [group, '-depth', '-type', 'd'])
  for (const folder of stdout.split('\n').filter(Boolean)) await rmdir(folder).catch(() => undefined)
}

/** Where control groups of version 2 are mounted: systemd needs that hierarchy, not its controllers. */
async function unifiedHierarchy(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8')
  const mountPoint = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1]
  if (mountPoint === undefined) throw new Error('control groups of version 2 are not mounted here')
  return mountPoint
}

/** /proc/sys and /sys are read-only, and no device has storage, so that the machine changes nothing on the host. */
const bootScript = `
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
shift
while [ $# -gt 0 ]; do
  mkdir -p ".$1"
  mount --bind "$2" ".$1"
  shift 2
done
mount -t proc -o nosuid,noexec,nodev proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro,nosuid,noexec,nodev sysfs sys
mount -t cgroup2 -o nosuid,noexec,nodev cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid tmpfs dev
mknod -m 666 dev/null c 1 3; mknod -m 666 dev/zero c 1 5; mknod -m 666 dev/full c 1 7
mknod -m 666 dev/random c 1 8; mknod -m 666 dev/urandom c 1 9; mknod -m 666 dev/tty c 5 0
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs tmp
hostname atelier-machine
mkdir -p .host
pivot_root . .host
cd /
umount -l /.host
exec setpriv --bounding-set -sys_time,-sys_module,-sys_rawio,-syslog env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`
