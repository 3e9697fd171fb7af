import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from '../processes/compileCache.ts'
import { freePort } from '../processes/freePort.ts'
import { signal } from './descendants.ts'
import { startTcpProxy, type Target, type TcpProxy } from './tcpProxy.ts'

export const serviceToken = 'a-service-token-of-more-than-32-characters'
const readySeconds = 300
const stopSeconds = 30

/** One `atelier serve`, `work` or `start`, with its own proxied connections to the database and to S3. */
export type ServiceProcess = {
  name: string
  /** The origin of a serving process; unused for a worker. */
  host: string
  port: number
  /** On a separate small file system if possible. */
  dataFolder: string
  toDatabase: TcpProxy
  toStorage: TcpProxy | undefined
  pid(): number | undefined
  /** True from ready until its exit. */
  isUp(): boolean
  /** Resolves when it is ready. `env` overrides its own. */
  start(env?: Record<string, string>): Promise<void>
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
  /** Stops it like a platform, and kills it after `seconds`, default 30. */
  stop(seconds?: number): Promise<void>
  close(): Promise<void>
}

export type ProcessPlaces = {
  /** Holds the folder of its data and its log. */
  folder: string
  database: Target
  /** The S3 server and the address in it, with `{port}` where this process's own line stands. */
  storage: { target: Target; url: string } | { target: undefined; url: string }
  env: Record<string, string>
  /** Where callers reach it; default loopback. */
  host?: string
  /** The folder of another release's code; default: this one. */
  checkout?: string
  /** What Node is given before the command; what the launcher makes of itself otherwise. */
  program?: readonly string[]
  /** A command that becomes the process that it is given, such as `nice`. */
  wrapper?: readonly string[]
}

/** Makes the process's lines and folders; it runs once it is started. */
export async function makeServiceProcess(role: 'serve' | 'work' | 'start', name: string, places: ProcessPlaces): Promise<ServiceProcess> {
  const dataFolder = join(places.folder, name)
  await mkdir(dataFolder, { recursive: true })
  const port = await freePort()
  const toDatabase = await startTcpProxy(places.database)
  const { storage } = places
  const toStorage = storage.target && (await startTcpProxy(storage.target))
  const log = createWriteStream(join(places.folder, `${name}.log`), { flags: 'a' })
  const settings = {
    ...compileCache,
    PATH: process.env['PATH'],
    DATABASE_URL: `postgresql://atelier@127.0.0.1:${toDatabase.port}/atelier`,
    STORAGE_URL: storage.url.replace('{port}', String(toStorage?.port)),
    DATA_DIR: dataFolder,
    PORT: String(port),
    ...places.env,
  }
  let running: ChildProcess | undefined
  let up: ChildProcess | undefined

  async function start(env: Record<string, string> = {}): Promise<void> {
    const { program = ['--max-semi-space-size=4', 'src/cli/main.ts'], wrapper = [] } = places
    const [command, ...given] = [...wrapper, process.execPath, ...program, role]
    const cwd = places.checkout ?? process.cwd()
    const child = spawn(command, given, { cwd, env: { ...settings, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    running = child
    const gone = once(child, 'exit').then(() => 'gone')
    void gone.then(() => running === child && (running = undefined))
    const lastWords: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.write(`${line}\n`)
      if (lastWords.push(line) > 5) lastWords.shift()
    })
    const ready = new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        log.write(`${line}\n`)
        if (line.startsWith('{')) lastWords.push(line)
        if (line.startsWith('ready')) resolve('ready')
      })
    })
    const late = new Promise<string>((resolve) => setTimeout(resolve, readySeconds * 1000, 'late').unref())
    const outcome = await Promise.race([ready, gone, late])
    up = child
    if (outcome !== 'ready') throw new Error(`${name} did not start (${outcome}): ${lastWords.join('\n')}`)
  }

  async function end(name: NodeJS.Signals, seconds = stopSeconds): Promise<void> {
    const child = running
    if (child === undefined) return
    const gone = once(child, 'exit')
    child.kill(name)
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
    await gone
    clearTimeout(timer)
  }

  return {
    name,
    host: places.host ?? '127.0.0.1',
    port,
    dataFolder,
    toDatabase,
    toStorage,
    pid: () => running?.pid,
    isUp: () => running !== undefined && up === running,
    start,
    signal: (wanted) => void (running?.pid !== undefined && signal(running.pid, wanted)),
    kill: () => end('SIGKILL'),
    stop: (seconds) => end('SIGTERM', seconds),
    async close() {
      running?.kill('SIGCONT')
      await end('SIGTERM')
      await Promise.all([toDatabase.close(), toStorage?.close()])
      log.end()
    },
  }
}
