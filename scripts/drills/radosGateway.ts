import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../test/support/processes/freePort.ts'
import { memoryFolder } from '../../test/support/processes/memoryFolder.ts'

const run = promisify(execFile)
const commandMs = 60_000
const startMs = 90_000
const stopMs = 10_000

export type Gateway = { endpoint: string; accessKeyId: string; secretAccessKey: string; stop(): Promise<void> }

/**
 * Starts a Ceph cluster of one monitor and one in-memory store with its S3 gateway, on free ports of the loopback address.
 * `signal` aborts the start. `stop` or a failed start ends all its processes.
 */
export async function startGateway(signal: AbortSignal): Promise<Gateway> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async () => {
    // The gateway ends first: without a store it would hang.
    for (const daemon of daemons.toReversed()) await end(daemon)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await startDaemons(folder, daemons, signal)), stop }
  } catch (error) {
    const words = await lastLogLine(folder)
    await stop()
    throw new Error(`the gateway did not start: ${error instanceof Error ? error.message : error}${words}`, { cause: error })
  }
}

async function startDaemons(folder: string, daemons: ChildProcess[], signal: AbortSignal): Promise<Omit<Gateway, 'stop'>> {
  const cluster = { id: randomUUID(), monitorPort: await freePort(), gatewayPort: await freePort() }
  const at = (name: string) => join(folder, name)
  const env = { ...process.env, CEPH_CONF: at('ceph.conf') }
  const command = (name: string, ...args: string[]) => run(name, args, { env, signal, timeout: commandMs })
  const daemon = (name: string, ...args: string[]) => {
    const output = openSync(at(`${name}.out`), 'w')
    daemons.push(spawn(name, ['-f', ...args], { env, stdio: ['ignore', output, output] }))
  }
  for (const name of ['monitor', 'store', 'gateway']) await mkdir(at(name))
  await writeFile(at('ceph.conf'), configuration(folder, cluster))

  await command('ceph-authtool', at('keyring'), '--create-keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
  const everything = ['mon', 'osd', 'mgr'].flatMap((part) => ['--cap', part, 'allow *'])
  await command('ceph-authtool', at('keyring'), '--gen-key', '-n', 'client.admin', ...everything)
  const monitorAddress = `[v2:127.0.0.1:${cluster.monitorPort}]`
  await command('monmaptool', '--create', '--addv', 'a', monitorAddress, '--fsid', cluster.id, at('monmap'))
  await command('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', at('keyring'))
  daemon('ceph-mon', '-i', 'a')

  const storeId = randomUUID()
  await command('ceph', 'osd', 'new', storeId)
  await command('ceph-authtool', at('keyring'), '--gen-key', '-n', 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *')
  await command('ceph', 'auth', 'import', '-i', at('keyring'))
  await command('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', storeId, '--monmap', at('monmap'))
  daemon('ceph-osd', '-i', '0')
  daemon('radosgw', '-n', 'client.admin')

  const [accessKeyId, secretAccessKey] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')]
  const user = ['--uid=test', '--display-name=test', `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  await command('radosgw-admin', '-n', 'client.admin', 'user', 'create', ...user)
  const endpoint = `http://127.0.0.1:${cluster.gatewayPort}`
  await answers(endpoint, daemons, signal)
  return { endpoint, accessKeyId, secretAccessKey }
}

function configuration(folder: string, cluster: { id: string; monitorPort: number; gatewayPort: number }): string {
  const settings = {
    fsid: cluster.id,
    'mon host': `v2:127.0.0.1:${cluster.monitorPort}`,
    'mon initial members': 'a',
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    keyring: `${folder}/keyring`,
    'run dir': folder,
    'crash dir': folder,
    'log file': `${folder}/$name.log`,
    'pid file': '',
    'admin socket': '',
    'mon data': `${folder}/monitor`,
    // The monitor would end itself on a nearly full disk.
    'mon data avail warn': 1,
    'mon data avail crit': 1,
    'mon allow pool size one': true,
    'mon max pg per osd': 1000,
    'osd data': `${folder}/store`,
    'osd objectstore': 'memstore',
    'memstore device bytes': 1024 ** 3,
    'osd crush chooseleaf type': 0,
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 1,
    'osd pool default pgp num': 1,
    'osd pool default pg autoscale mode': 'off',
    'rgw data': `${folder}/gateway`,
    // Without tcp_nodelay, each small response waits for the client's delayed acknowledgement.
    'rgw frontends': `beast endpoint=127.0.0.1:${cluster.gatewayPort} tcp_nodelay=1`,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  return `${['[global]', ...lines].join('\n')}\n`
}

async function answers(endpoint: string, daemons: ChildProcess[], signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startMs)])
  for (;;) {
    const dead = daemons.find((daemon) => daemon.exitCode !== null || daemon.signalCode !== null)
    if (dead) throw new Error(`${dead.spawnfile} ended unexpectedly`)
    const answer = await fetch(endpoint, { signal: deadline }).catch(() => undefined)
    if (answer?.ok) return
    await wait(200, undefined, { signal: deadline })
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  const timer = setTimeout(() => daemon.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}

async function lastLogLine(folder: string): Promise<string> {
  const outputs = ['ceph-mon', 'ceph-osd', 'radosgw'].map(async (name) => {
    const text = await readFile(join(folder, `${name}.out`), 'utf8').catch(() => '')
    return text.trim() === '' ? '' : `\n${name}: ${text.trim().split('\n').slice(-5).join('\n  ')}`
  })
  return (await Promise.all(outputs)).join('')
}
