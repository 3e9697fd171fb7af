import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openExternalServices } from './deployments/externalServices.ts'
import { packReleases, type Releases } from './deployments/releaseArchives.ts'
import { runDeploymentDrill } from './deployments/runDeploymentDrill.ts'
import { unitsDeployment } from './deployments/unitsDeployment.ts'
import { makeMachine } from './machine/bootMachine.ts'
import { machineRoot } from './machine/machineRoot.ts'
import { printLine } from './printLine.ts'

/**
 * Boots a machine with systemd as process 1, and runs the units of deploy/systemd on it from release archives: deploys the previous release,
 * upgrades it to this one and back under load, kills the units and cuts the power, and restores the backup of atelier-backup.service. The
 * machine has its own processes, mounts, control groups and network, and is removed at the end. Needs root and debootstrap.
 */
const run = promisify(execFile)
/** Set when this program has started itself in a network namespace: the network namespace of the host, and the archives as JSON. */
const [hostNetwork, archives = ''] = process.argv.slice(2)

if (hostNetwork === undefined) await startInNamespace()
else await test(hostNetwork, JSON.parse(archives) as Releases)

async function startInNamespace(): Promise<void> {
  if (process.getuid?.() !== 0 || !(await run('debootstrap', ['--version']).catch(() => false))) {
    process.stderr.write('test:units needs root and debootstrap\n')
    process.exitCode = 1
    return
  }
  await machineRoot()
  printLine('the files of a machine with Debian 12, systemd and PostgreSQL are ready')
  const releases = await packReleases()
  printLine('the archives of both releases are packed')
  const words = ['--net', process.execPath, import.meta.filename, `/proc/${process.pid}/ns/net`, JSON.stringify(releases)]
  const child = spawn('unshare', words, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}

async function test(network: string, releases: Releases): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up'])
  const folder = await mkdtemp(join(tmpdir(), 'atelier-units-'))
  const root = join(folder, 'root')
  await run('cp', ['-a', `${await machineRoot()}/.`, root])
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
  await mkdir(cache, { recursive: true })
  const machine = await makeMachine(root, { '/root/.npm': cache })
  const services = await openExternalServices()
  const npm = { network, env: await npmSettings(root) }
  const deployment = await unitsDeployment({ machine, settings: services.settings, npm })
  try {
    await runDeploymentDrill(deployment, { releases, services })
  } finally {
    await deployment.close()
    await services.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies npm's settings of the host and its certificate authorities into the machine. Returns the variables that npm needs there. */
async function npmSettings(root: string): Promise<Record<string, string>> {
  await copyFile(join(homedir(), '.npmrc'), join(root, 'root/.npmrc')).catch(() => undefined)
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (authorities === undefined) return {}
  await copyFile(authorities, join(root, 'root/authorities.pem'))
  return { NODE_EXTRA_CA_CERTS: '/root/authorities.pem' }
}
