import { execFile, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startHookReceiver } from '../../test/support/chaos/hookReceiver.ts'
import { type Machine, probeMachine } from '../../test/support/chaos/machine.ts'
import { playFault } from '../../test/support/chaos/playFault.ts'
import { hostFaults } from '../../test/support/hosts/hostFaults.ts'
import { type HostsDeployment, openHosts } from '../../test/support/hosts/hostsDeployment.ts'
import { brokenOnHosts, hostRow, hostsTable, withHostRows } from '../../test/support/hosts/hostsTable.ts'
import { addresses } from '../../test/support/hosts/network.ts'
import { watchReads } from '../../test/support/hosts/watchReads.ts'
import { printLine } from './printLine.ts'

/**
 * Runs a deployment on two hosts with a faulty network link between them, injects faults one after another while generations run, and
 * checks the promises. Prints a table, and exits with 1 if a promise was broken, with 2 if this machine cannot run it. `--only line,lost`
 * runs only these faults. `--rate 5` starts 5 sandbox generations per second, `--billed 1` starts 1 of each kind per second at the vendor
 * that bills. `--write` updates the table in docs/drills.md. `--logs <folder>` keeps the logs of the processes.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rate: { type: 'string', default: '5' },
    billed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    logs: { type: 'string' },
  },
})
const document = join(import.meta.dirname, '../../docs/drills.md')
const run = promisify(execFile)
const limitMs = 20 * 60_000
/** Seconds of load before and after a fault, together. */
const aroundSeconds = 7
/** Set in the process that runs in the namespaces. */
const insideVariable = 'TEST_HOSTS_INSIDE'
const names = hostFaults.map(({ name }) => name)
const selected = values.only?.split(',') ?? names
const unknown = selected.filter((name) => !names.includes(name))
if (unknown.length > 0) refuse(`unknown faults: ${unknown.join(', ')}; known: ${names.join(', ')}`)

const machine = await probeMachine()
const missing = missingPrerequisites(machine)
if (missing.length > 0) refuse(`test:hosts was SKIPPED, it needs ${missing.join(', ')}`)
if (process.env[insideVariable]) await runAll()
else await runInNamespaces()

/** The kernel ends all processes of the namespace with its first one, and then removes its mounts and interfaces. */
async function runInNamespaces(): Promise<void> {
  const options = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--']
  const env = { ...process.env, [insideVariable]: '1' }
  const child = spawn('unshare', [...options, process.execPath, ...process.argv.slice(1)], { env, stdio: 'inherit' })
  const stop = () => void child.kill('SIGKILL')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop)
  const timer = setTimeout(stop, limitMs)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearTimeout(timer)
  if (code === null) process.stderr.write('test:hosts was stopped\n')
  process.exit(code ?? 1)
}

async function runAll(): Promise<void> {
  await run('mount', ['-t', 'tmpfs', 'atelier-hosts', '/dev/shm'])
  printLine(`two hosts, each with serve and work, on PostgreSQL ${machine.postgres.major} …`)
  const deployment = await openHosts(machine)
  const receiver = await startHookReceiver(addresses.a.open)
  const rows = new Map<string, string>()
  let everyPromiseHeld = true
  try {
    for (const fault of hostFaults.filter(({ name }) => selected.includes(name))) {
      printLine(`${fault.name}: ${fault.words}`)
      const seconds = aroundSeconds + fault.seconds
      const reads = { answered: 0, stale: 0 }
      const outcome = await playFault(
        fault,
        { deployment, machine, receiver },
        {
          count: Math.round(Number(values.rate) * seconds),
          billed: Math.round(Number(values.billed) * seconds),
          beside: (team, load) => watchReads(deployment.servers[1], team, load, reads),
        },
      )
      const row = hostRow(fault, { ...outcome, reads })
      rows.set(fault.name, row)
      printLine(`  ${row}`)
      if (values.write) writeFileSync(document, withHostRows(readFileSync(document, 'utf8'), rows, names))
      for (const words of brokenOnHosts(fault, { ...outcome, reads })) {
        everyPromiseHeld = false
        printLine(`  BROKEN: ${words}`)
      }
    }
    const faults = await doctorFaults(deployment)
    for (const words of faults) printLine(`doctor: ${words}`)
    printLine(`packets on the network link, forwarded, lost and cut off: ${await deployment.network.countPackets()}`)
  } finally {
    if (values.logs) await deployment.copyLogs(values.logs)
  }
  process.stdout.write(`${hostsTable([...rows.values()])}\n`)
  printLine(everyPromiseHeld ? 'every promise held' : 'a promise was broken')
  // This is the first process of the namespace, so all others end with it.
  process.exit(everyPromiseHeld ? 0 : 1)
}

/** Runs `doctor` with the settings of the processes. Returns its faults. */
async function doctorFaults({ env }: HostsDeployment): Promise<string[]> {
  const settings = { ...env, PATH: process.env['PATH'], DATA_DIR: '/dev/shm/doctor' }
  const options = { env: settings, timeout: 60_000 }
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', 'doctor'], options).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? 'FAULT doctor did not end',
  }))
  return stdout.split('\n').filter((line) => line.startsWith('FAULT'))
}

function missingPrerequisites({ postgres, ceph }: Machine): string[] {
  const programs = ['unshare', 'nsenter', 'setpriv', 'ip', 'python3', 'pgbouncer']
  return [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...(isReadable('/dev/net/tun') ? [] : ['/dev/net/tun']),
    ...programs.filter((program) => !programFolders().some((folder) => isReadable(join(folder, program)))),
    ...(postgres.baseBackup ? [] : ["pg_basebackup of Debian's postgresql"]),
    ...(ceph ? [] : ["Ceph's gateway, which npm run test:s3 installs"]),
  ]
}

function programFolders(): string[] {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function refuse(words: string): never {
  process.stderr.write(`${words}\n`)
  process.exit(2)
}
