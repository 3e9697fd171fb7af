import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from './support/table.ts'

/** Measures the start of the whole service and its idle memory, without PostgreSQL. */
export async function benchIdle(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-idle-'))
  try {
    const first = await startOnce(folder)
    const later = await startOnce(folder)
    return [
      { name: 'first start, empty folder', ours: first.readySeconds, unit: 's', aim: '< 60 with the install' },
      { name: 'later start', ours: later.readySeconds, unit: 's', aim: '<= 2' },
      { name: 'memory of the idle process', ours: later.megabytes, unit: 'MB', aim: '<= 180' },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<{ readySeconds: number; megabytes: number }> {
  const startedAt = performance.now()
  const main = join(import.meta.dirname, '..', 'bin', 'atelier.js')
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', BASE_URL: '', DATABASE_URL: '' }
  const child = spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = Promise.withResolvers<void>()
  // Read to its end; otherwise the process would write into a closed pipe.
  child.stdout.on('data', (chunk) => {
    if (/^ready/m.test(String(chunk))) ready.resolve()
  })
  await ready.promise
  const readySeconds = (performance.now() - startedAt) / 1000
  await pause(5000)
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  return { readySeconds, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 }
}
