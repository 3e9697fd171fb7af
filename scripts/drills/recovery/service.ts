import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

export const serviceToken = 'a-token-of-the-recovery-drill-with-32-characters'
const main = join(import.meta.dirname, '../../../src/cli/main.ts')

export type Deployed = Record<'DATABASE_URL' | 'STORAGE_URL' | 'DATA_DIR' | 'SECRET_KEY', string>
export type CommandOutcome = { code: number | null; output: string; residentKilobytesMax: number }

/** Runs a command to its end; `until` may kill it earlier. */
export async function command(env: Deployed, args: string[], { killAfterMs }: { killAfterMs?: number } = {}): Promise<CommandOutcome> {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', main, ...args], { env: envOf(env), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  let residentKilobytesMax = 0
  const watching = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8')
      .then((text) => (residentKilobytesMax = Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? residentKilobytesMax)))
      .catch(() => undefined)
  }, 100)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  clearInterval(watching)
  return { code, output, residentKilobytesMax }
}

export type Service = { origin: string; stop(): Promise<void> }

/** Runs `serve`, `work` or `start` until it is stopped; resolves when it is ready. */
export async function service(env: Deployed, name: 'serve' | 'work' | 'start'): Promise<Service> {
  const child = spawn(process.execPath, [main, name], { env: envOf(env), stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('ready')) continue
    const stop = async () => {
      child.kill('SIGTERM')
      await gone
    }
    child.stdout.resume()
    return { origin: /https?:\/\/[^\s/]+/.exec(line)?.[0] ?? '', stop }
  }
  throw new Error(`atelier ${name} did not start`)
}

function envOf(env: Deployed): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    LOG_LEVEL: 'error',
    SERVICE_TOKEN: serviceToken,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '100000',
    ...env,
  }
}

/** Calls `look` until it returns a value; throws after two minutes. */
export async function awaited<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await pause(200)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`timed out waiting for ${what}`)
}

export async function ask<Answer>(origin: string, path: string, { token, body }: { token: string; body?: unknown }): Promise<Answer> {
  const response = await fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer & { errors?: unknown }
  if (!response.ok || answer.errors !== undefined) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}
