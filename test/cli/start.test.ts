import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { memoryFolder } from '../support/processes/memoryFolder.ts'
import { relayStderr } from '../support/processes/relayStderr.ts'

const folder = await mkdtemp(join(memoryFolder(), 'atelier-start-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const dataFolder = join(folder, 'data')
const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

type Started = {
  /** The lines that it printed from `ready` on, without its log. */
  lines: string[]
  address: string
  stop(): Promise<void>
}

/** Runs `atelier start` on the folder with these variables. */
async function started(env: Record<string, string>): Promise<Started> {
  const child = relayStderr(
    spawn(process.execPath, [main, 'start'], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataFolder, LOG_LEVEL: 'silent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const lines: string[] = []
  const reading = createInterface({ input: child.stdout })
  const ready = new Promise<string>((resolve, reject) => {
    reading.on('line', (line) => {
      lines.push(line)
      const [, address] = /^ready (.+)$|^\{.*"address":"([^"]+)","msg":"ready"\}$/.exec(line)?.filter(Boolean) ?? []
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error(`it ended: ${lines.join('\n')}`)))
  })
  const address = await ready
  return {
    lines,
    address,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

test('a process with only the internal part prints its own address and, as text, its steps, and creates no demo team', {
  timeout: 60_000,
}, async () => {
  await mkdir(dataFolder, { mode: 0o755 })
  const { address, lines, stop } = await started({ INTERNAL_PORT: '0', PORT: '8123', LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' })
  try {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect((await fetch(`${address}/metrics`)).status).toBe(200)
  } finally {
    await stop()
  }
  const steps = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('ready ')),
  )
  expect(steps.map((line) => line.replace(/ +\d+\.\d s$/, ''))).toEqual([
    expect.stringMatching(/^Atelier \d/),
    ...['catalog', 'database', 'tables', 'jobs', 'server'].map((name) => expect.stringMatching(new RegExp(`^ {2}${name} +\\S`))),
  ])
  expect(lines).toContain(`integrations: ${address}/integrations`)
  expect(lines.join('\n')).not.toMatch(/8123|demo key|api\/v1/)
})

test('a process on a non-loopback address prints no key', { timeout: 60_000 }, async () => {
  const { address, lines, stop } = await started({ HOST: '0.0.0.0', PORT: '0' })
  try {
    const schema = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __schema { queryType { name } } }"}',
    }
    expect((await fetch(`${new URL(address).origin.replace('0.0.0.0', '127.0.0.1')}/graphql`, schema)).status).toBe(401)
  } finally {
    await stop()
  }
  expect(lines.join('\n')).not.toContain('atl_')
})

test('on loopback the first start prints a working key and password, and other accounts cannot read its folder', {
  timeout: 60_000,
}, async () => {
  const { address, lines, stop } = await started({ PORT: '0' })
  try {
    await expect.poll(() => lines.find((line) => line.startsWith('demo key: '))).toBeDefined()
    const key = lines.find((line) => line.startsWith('demo key: '))?.slice('demo key: '.length)
    const account = await fetch(`${address}/account`, { headers: { authorization: `Bearer ${key}` } })
    expect(await account.json()).toMatchObject({ creditsAvailable: 1000 })
    const { origin } = new URL(address)
    const from = lines.findIndex((line) => line.startsWith('demo key: '))
    expect(lines[from + 1]).toBe(`integrations: ${origin}/integrations`)
    const [, email, password] = /^sign in: (demo@atelier\.local) ([a-z2-9-]{19})$/.exec(lines[from + 2] ?? '') ?? []
    expect(lines[from + 3]).toBe(`docs: ${origin}/docs/guides/quickstart`)
    const signIn = { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify({ email, password }) }
    expect((await fetch(`${origin}/auth/sign-in/email`, signIn)).status).toBe(200)
    const { stdout } = await promisify(execFile)('find', [dataFolder, '-perm', '/077', '!', '-type', 'l'])
    expect(stdout).toBe('')
  } finally {
    await stop()
  }
})

test('a later start tells how to get the demo, and `atelier demo` prints a new key and password while the service runs', {
  timeout: 90_000,
}, async () => {
  const { address, lines, stop } = await started({ PORT: '0' })
  try {
    await expect.poll(() => lines.at(-1)).toBe('demo: `npm run -s atelier -- demo` prints a new key and password')
    const { origin, port } = new URL(address)
    const env = { PATH: process.env['PATH'], DATA_DIR: dataFolder, LOG_LEVEL: 'silent', PORT: port }
    const keyOf = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [main, 'demo'], { env })
      expect(stdout).toContain(`integrations: ${origin}/integrations\n`)
      return /^demo key: (.*)$/m.exec(stdout)?.[1] ?? ''
    }
    const [first, second] = [await keyOf(), await keyOf()]
    const answerTo = (key: string) => fetch(`${address}/account`, { headers: { authorization: `Bearer ${key}` } })
    expect([(await answerTo(first)).status, (await answerTo(second)).status]).toEqual([401, 200])
    expect(await (await answerTo(second)).json()).toMatchObject({ creditsAvailable: 1000 })
    const accept = 'application/json, text/event-stream'
    const headers = { authorization: `Bearer ${second}`, 'content-type': 'application/json', accept }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } })
    const agent = await fetch(`${origin}/mcp`, { method: 'POST', headers, body })
    expect([agent.status, await agent.text()]).toEqual([200, expect.stringContaining('"creditsAvailable":100')])
  } finally {
    await stop()
  }
})

test.each([
  ['auto', /^\{"level":"info","time":"[^"]+","pid":\d+,"signal":"SIGTERM","msg":"shutting down"\}$/],
  ['pretty', /^\d\d:\d\d:\d\d info {2}shutting down signal=SIGTERM$/],
])('with LOG_FORMAT %s a process on a pipe logs in that format, beside the line `ready`', { timeout: 60_000 }, async (format, entry) => {
  const { lines, stop } = await started({ INTERNAL_PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: format })
  await stop()
  expect(lines.filter((line) => !line.startsWith('ready ')).filter((line) => line.startsWith('{') !== (format === 'auto'))).toEqual([])
  expect(lines.filter((line) => entry.test(line))).toHaveLength(1)
})

test('with LOG_FORMAT json every line is JSON, `ready` and the demo as well', { timeout: 60_000 }, async () => {
  const { address, lines, stop } = await started({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json', PORT: '0' })
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(1), { timeout: 20_000 })
  await stop()
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.map(({ msg }) => msg)).toEqual(['ready', 'demo'])
  expect(entries[0]).toMatchObject({ level: 'info', address, pid: expect.any(Number) })
  expect(address).toMatch(/^http:/)
})

test('`doctor --embedded` and `backup --embedded` use the database of the folder, also while the service runs', {
  timeout: 120_000,
}, async () => {
  const { address, stop } = await started({ PORT: '0' })
  const env = { PATH: process.env['PATH'], DATA_DIR: dataFolder, LOG_LEVEL: 'silent', PORT: new URL(address).port }
  const atelier = async (...words: string[]) => (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout
  const database = `embedded database in ${join(dataFolder, 'postgres')}\n`
  try {
    expect((await atelier('doctor', '--embedded')).startsWith(`${database}ok    configuration: `)).toBe(true)
    const report = JSON.parse(await atelier('doctor', '--embedded', '--json')) as { checks: { name: string; ok: boolean }[] }
    expect(report).toMatchObject({ ok: true, host: 'embedded', database: join(dataFolder, 'postgres') })
    expect(report.checks).toContainEqual({ name: 'books', ok: true, detail: 'balance' })
    expect(await atelier('doctor', '--embedded', 'objects')).toBe(`${database}every object exists\n`)
  } finally {
    await stop()
  }
  const backedUp = await atelier('backup', '--embedded', '--to', join(folder, 'backups'))
  expect(backedUp).toMatch(new RegExp(`^${database}snapshot \\S+ is whole: `))
  const verifying = promisify(execFile)(process.execPath, [main, 'backup', '--embedded', '--verify', '--to', join(folder, 'backups')], {
    env,
  })
  verifying.child.stdout?.on('data', (words: string) => words.includes('restoring snapshot') && verifying.child.kill('SIGTERM'))
  await expect(verifying).rejects.toMatchObject({ code: 1, stderr: 'atelier: the verification was stopped: run it again\n' })
  expect((await readdir(dataFolder)).filter((name) => name.startsWith('scratch-'))).toEqual([])
})

test('`atelier demo` changes nothing in a database of its own', { timeout: 60_000 }, async () => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: Buffer.alloc(32).toString('base64') }
  await expect(promisify(execFile)(process.execPath, [main, 'demo'], { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'atelier: DATABASE_URL must be unset: the demo is for the embedded database. See docs/graphql.md for teams and keys.\n',
  })
})
