import { once } from 'node:events'
import { chmod, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkerPool } from '../../../src/media/workers/workerPool.ts'
import { watchChildren } from '../../support/processes/watchChildren.ts'
import type { EscapeResults, EscapeTargets } from '../../support/workers/escapeAttempts.ts'

type Haul = { results: EscapeResults; env: string[]; uid: number | undefined; network: string }

const isRoot = process.getuid?.() === 0

/** `data` is accessible only to its owner, like the data folder of the service. */
const folders = { data: '', open: '' }
const servers = [createServer(), createServer()] as const
let connections = 0

beforeAll(async () => {
  folders.data = await mkdtemp(join(tmpdir(), 'confinement-'))
  folders.open = await mkdtemp(join(tmpdir(), 'confinement-'))
  await chmod(folders.open, 0o755)
  await writeFile(join(folders.data, 'secret'), 'the secret', { mode: 0o600 })
  process.env['CONFINEMENT_SECRET'] = 'the secret'
  for (const server of servers) server.on('connection', () => (connections += 1))
  servers[0].listen(0, '127.0.0.1')
  servers[1].listen(join(folders.data, 'socket'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
})

afterAll(async () => {
  delete process.env['CONFINEMENT_SECRET']
  for (const server of servers) server.close()
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true })
})

async function breakOut(place: keyof typeof folders): Promise<Haul> {
  const children = await watchChildren()
  const pool = makeWorkerPool<EscapeTargets, Omit<Haul, 'network'>>({
    program: {
      module: new URL('../../support/workers/escapeAttempts.ts', import.meta.url),
      heapMegabytesMax: 64,
      semiSpaceMegabytesMax: 1,
      mayWrite: true,
      hasWasi: true,
    },
    workersMax: 1,
    secondsMax: 60,
    memoryBytesMax: 1024 ** 3,
    recycleAboveBytes: 1024 ** 3,
    waitingMax: 1,
    waitSecondsMax: 60,
    tasksPerWorker: 10,
    idleSecondsMax: 60,
    abandonedTask: 'end',
    scratchPath: () => join(folders[place], 'scratch'),
  })
  try {
    const { port } = servers[0].address() as AddressInfo
    const folder = folders.data
    const outcome = await pool.run({ file: join(folder, 'secret'), folder, port, socketPath: join(folder, 'socket') })
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
    const [child] = await children()
    return { ...outcome.result, network: await readlink(`/proc/${child}/ns/net`).catch(() => 'unknown') }
  } finally {
    await pool.close()
  }
}

describe.each(['data', 'open'] as const)('code in a worker with its scratch folder in the %s folder', (place) => {
  let haul: Haul
  beforeAll(async () => {
    haul = await breakOut(place)
  })

  test.each([
    'read the file',
    'read the file by a relative path',
    'list the folder',
    'read the environment of the parent',
    'read its initial environment',
    'write outside its folder',
    'create a link',
    'connect to a port',
    'connect to a socket in the file system',
    'fetch',
    'use internal bindings',
    'start a program',
    'start a child',
  ])('cannot %s', (attempt) => {
    expect(haul.results[attempt]).toBe('ERR_ACCESS_DENIED')
  })

  test('cannot connect from a thread', () => {
    // In a closed folder no thread can start.
    expect(haul.results['connect from a thread']).toBe(place === 'open' || !isRoot ? 'ERR_ACCESS_DENIED' : 'ERR_INVALID_PACKAGE_CONFIG')
  })

  test('makes no connection', () => {
    expect(connections).toBe(0)
  })

  test('inherits no environment of its parent', () => {
    expect(haul.env).toEqual(['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE'])
  })

  test.runIf(isRoot)('runs with its own account when its parent is root, and cannot access its parent', () => {
    expect(haul.uid).toBeGreaterThan(60_000)
    expect(haul.results['signal its parent']).toBe('EPERM')
  })

  test.runIf(process.platform === 'linux' && isRoot)('has no network by the operating system, too', async () => {
    expect(haul.network).not.toBe(await readlink('/proc/self/ns/net'))
  })
})
