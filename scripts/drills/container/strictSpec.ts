import { readFile } from 'node:fs/promises'

export type StrictRun = {
  root: string
  uid: number
  gid: number
  args: string[]
  env: string[]
  workingDir: string
  /** A folder of this machine, mounted at /data. */
  data: string
}

/**
 * A container as in the manifests of deploy/kubernetes: a read-only root, no capabilities and no way to gain any, and the default seccomp
 * filter. It uses this machine's network.
 */
export async function strictSpec({ root, uid, gid, args, env, workingDir, data }: StrictRun): Promise<object> {
  const sets = ['bounding', 'effective', 'inheritable', 'permitted', 'ambient']
  const kept = ['nosuid', 'noexec', 'nodev']
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args,
      env,
      cwd: workingDir,
      noNewPrivileges: true,
      capabilities: Object.fromEntries(sets.map((set) => [set, []])),
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: kept },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: [...kept, 'mode=1777', 'size=64m'] },
      { destination: '/data', type: 'bind', source: data, options: ['bind', 'nosuid', 'nodev'] },
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      seccomp: await usualFilter(),
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/sysrq-trigger'],
      readonlyPaths: ['/proc/sys', '/proc/irq', '/proc/bus'],
    },
  }
}

type Rule = {
  names: string[]
  action: string
  errnoRet?: number
  args?: unknown[]
  includes?: { caps?: string[]; arches?: string[] }
  excludes?: { arches?: string[] }
}

/** Drops the rules that allow new namespaces: the file is podman's, and containerd and Docker do not allow them. */
const refusedElsewhere = ['unshare', 'setns', 'mount', 'umount2']

/** The default seccomp filter for a container without capabilities, from the file of buildah. */
async function usualFilter(): Promise<object> {
  const text = await readFile('/usr/share/containers/seccomp.json', 'utf8')
  const file = JSON.parse(text) as { defaultAction: string; defaultErrnoRet?: number; syscalls: Rule[] }
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const applies = ({ includes, excludes }: Rule) =>
    !includes?.caps?.length && (!includes?.arches?.length || includes.arches.includes(arch)) && !excludes?.arches?.includes(arch)
  const syscalls = file.syscalls.filter(applies).map(({ names, action, errnoRet, args }) => ({
    names: names.filter((name) => !refusedElsewhere.includes(name)),
    action,
    ...(typeof errnoRet === 'number' && { errnoRet }),
    ...(args?.length && { args }),
  }))
  const architectures = process.arch === 'x64' ? ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'] : ['SCMP_ARCH_AARCH64']
  return { defaultAction: file.defaultAction, defaultErrnoRet: file.defaultErrnoRet, architectures, syscalls }
}
