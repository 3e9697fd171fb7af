import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { databaseVariables } from '../database/database.ts'
import { compileCache } from './compileCache.ts'
import { relayStderr } from './relayStderr.ts'

/** A process started from the command line; `port` is 0 where it serves nothing. */
export type Command = {
  port: number
  kill(): Promise<void>
  /** Stops it like a platform, and returns its exit code. */
  stop(): Promise<number | null>
}

/** Runs `atelier serve` or `work` until the end of the test; `env` overrides its settings. Resolves when it is ready. */
export async function aCommand(name: 'serve' | 'work', env: Record<string, string>): Promise<Command> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-command-'))
  const settings = {
    ...compileCache,
    PATH: process.env['PATH'],
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'error',
    ...env,
    ...(env['DATABASE_URL'] === undefined ? {} : databaseVariables(env['DATABASE_URL'])),
  }
  const child = relayStderr(spawn(process.execPath, ['src/cli/main.ts', name], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] }))
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  const stop = async () => {
    child.kill('SIGTERM')
    const [code] = (await gone) as [number | null]
    return code
  }
  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready')) return { port: Number(/:(\d+)/.exec(line)?.[1] ?? 0), kill, stop }
  }
  throw new Error(`atelier ${name} did not start`)
}
