import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { databaseVariables } from '../database/database.ts'
import { compileCache } from '../processes/compileCache.ts'
import { relayStderr } from '../processes/relayStderr.ts'

const catalogFolder = new URL('./catalog', import.meta.url).pathname

export type WorkerPlaces = { databaseUrl: string; folder: string }

type VendorOptions = { vendorUrl?: string; withoutRepeats?: true | undefined }

/** The environment of a worker for the test vendor; without an address, for the configured vendors. */
export function workerEnvironment({ vendorUrl, withoutRepeats, ...places }: WorkerPlaces & VendorOptions): NodeJS.ProcessEnv {
  return {
    ...compileCache,
    PATH: process.env['PATH'],
    ...databaseVariables(places.databaseUrl),
    DATA_DIR: places.folder,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'error',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    ...(vendorUrl === undefined ? {} : { VENDOR_URL: vendorUrl, CATALOG_PATH: catalogFolder }),
    ...(withoutRepeats ? { VENDOR_WITHOUT_REPEATS: 'on' } : {}),
  }
}

/** Starts a worker process; resolves when it is ready. */
export async function startWorkerProcess(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = relayStderr(
    fork(new URL('./workerProcess.ts', import.meta.url), { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
  )
  child.stdout?.pipe(process.stdout, { end: false })
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['died'])])
  if (message !== 'works') throw new Error('a worker process did not start')
  return child
}

/** Stops it like an operator. */
export async function endWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
