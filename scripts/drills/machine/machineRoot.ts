import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addNode } from '../container/baseImages.ts'

const run = promisify(execFile)
const packages = ['systemd', 'systemd-sysv', 'dbus', 'postgresql', 'ca-certificates']

/**
 * The root folder of a machine with Debian 12, systemd and PostgreSQL from Debian's packages, and Node with npm. It stays in the
 * temporary folder for later runs; machines run on copies of it. Needs root and debootstrap.
 */
export async function machineRoot(): Promise<string> {
  const target = join(tmpdir(), 'atelier-machine-bookworm')
  if (existsSync(target)) return target
  const draft = await mkdtemp(`${target}-`)
  try {
    await install(draft)
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}

async function install(root: string): Promise<void> {
  // mkdtemp gives access to root alone, but the accounts of the machine need it.
  await chmod(root, 0o755)
  const limits = { maxBuffer: 2 ** 26, timeout: 500_000 }
  const options = ['--foreign', '--variant=minbase', `--include=${packages.join(',')}`]
  await run('debootstrap', [...options, 'bookworm', root, 'http://deb.debian.org/debian'], limits)
  // Stops packages from starting their servers during the installation.
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--net', '--ipc', 'chroot', root]
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }
  await run('unshare', [...namespaces, '/debootstrap/debootstrap', '--second-stage'], { ...limits, env })
  await rm(join(root, 'usr/sbin/policy-rc.d'), { force: true })
  // Debian's package makes a cluster only where it is installed by apt.
  await run('unshare', [...namespaces, 'pg_createcluster', '--locale=C.UTF-8', '15', 'main'], { ...limits, env })
  await addNode(root)
  await copyFile('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
}
