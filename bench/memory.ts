import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

const requests = 2000
const renders = 60
const lookEveryMs = 100

/**
 * Measures the memory of `start` with its child processes, without PostgreSQL, during and after a mix of requests and renders.
 * Shared pages count for each process.
 */
export async function benchMemory(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-memory-'))
  const env = {
    ...process.env,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    BASE_URL: '',
    DATABASE_URL: '',
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
  const command = await startCommand('start', env)
  try {
    const key = await command.printed(/^demo key: (\S+)/)
    const idle = await megabytes(command.pid)
    let most = 0
    const looking = setInterval(() => {
      void megabytes(command.pid).then((now) => {
        most = Math.max(most, now)
      })
    }, lookEveryMs)
    await work(command.url, key)
    clearInterval(looking)
    const after = await megabytes(command.pid)
    return [
      { name: 'memory of a started service and its workers', ours: idle, unit: 'MB' },
      { name: `most of it during ${requests} requests and ${renders} renders`, ours: most, unit: 'MB' },
      { name: 'right after them', ours: after, unit: 'MB', aim: '<= 650' },
    ]
  } finally {
    await command.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const image = { familyId: 'sandbox-image', parameters: { width: 512, height: 512 } }
const kinds = [
  image,
  image,
  { familyId: 'sandbox-audio', prompt: 'The quick brown fox jumps over the lazy dog.' },
  image,
  { familyId: 'sandbox-3d' },
  { familyId: 'sandbox-video', parameters: { durationSeconds: 1 } },
]

/** Runs renders, and at the same time reads, lists, refused requests and uploads. */
async function work(origin: string, key: string): Promise<void> {
  const ask = async (path: string, body?: object | FormData) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
    }
    const sent = body === undefined ? {} : { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }
    return (await fetch(`${origin}/api/v1${path}`, { headers, ...sent })).json() as Promise<Record<string, string>>
  }
  const started: (string | undefined)[] = []
  for (let index = 0; index < renders; index += 1) {
    const { generationId, ...refused } = await ask('/generations', { prompt: `render ${index}`, ...kinds[index % kinds.length] })
    if (generationId === undefined) throw new Error(JSON.stringify(refused))
    started.push(generationId)
  }
  const upload = () => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(pixel, 'base64')]))
    return ask('/files', form)
  }
  const mixed = [
    () => ask('/account'),
    () => ask('/families'),
    () => ask('/generations?limit=20'),
    (index: number) => ask(`/generations/${started[index % started.length]}`),
    () => ask('/generations/estimate', { prompt: 'a lighthouse', ...image }),
    () => ask('/generations', { familyId: 'nothing' }),
    upload,
  ]
  for (let index = 0; index < requests; index += 10) {
    await Promise.all(Array.from({ length: 10 }, async (_, offset) => mixed[(index + offset) % mixed.length]?.(index + offset)))
  }
  for (const id of started) await ended(() => ask(`/generations/${id}?wait=60`))
}

async function ended(look: () => Promise<Record<string, string>>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { state } = await look()
    if (state === 'ready') return
    if (state === 'failed') throw new Error('a render failed')
  }
  throw new Error('a render did not end')
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Resident memory of a process and its descendants, without PostgreSQL. */
async function megabytes(pid: number | undefined): Promise<number> {
  const processes = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess))
  const alive = processes.filter((found) => found !== undefined)
  const own = new Set([pid])
  let kibibytes = 0
  for (const { id, parent, name, rss } of alive.toSorted((one, other) => one.id - other.id)) {
    if (own.has(parent) && name !== 'postgres') own.add(id)
    if (own.has(id)) kibibytes += rss
  }
  return kibibytes / 1024
}

async function readProcess(id: string): Promise<{ id: number; parent: number; name: string; rss: number } | undefined> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  const name = field('Name')
  return name === undefined ? undefined : { id: Number(id), parent: Number(field('PPid')), name, rss: Number(field('VmRSS') ?? 0) }
}
