import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMemory } from './support/residentMemory.ts'
import { startCommand } from './support/startCommand.ts'
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
  const command = await startCommand('start', { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'error', BASE_URL: '', DATABASE_URL: '' })
  const readySeconds = (performance.now() - startedAt) / 1000
  await pause(5000)
  const megabytes = await residentMemory(command.pid)
  await command.stop()
  return { readySeconds, megabytes }
}
