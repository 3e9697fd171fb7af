import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ListenerConfig } from '../../config/listeners.ts'
import { type Command, type Config, readConfig } from '../../config/readConfig.ts'
import type { ProcessRole } from '../../domain/connectionBudget.ts'
import type { RouteGroup } from '../../http/routeGroup.ts'
import { vendors } from '../../providers/vendors.ts'
import { isLoopback } from '../../transport/localCaller.ts'
import { describeDemo, makeDemoTeam } from '../boot/demoTeam.ts'
import { ownUrlOf, servesPublic } from '../boot/listeners.ts'
import { commandLogger, isPretty } from '../boot/logger.ts'
import { printedPhases, printsPhases, silentPhases } from '../boot/startPhases.ts'
import { type Running, startRoles } from '../boot/startRoles.ts'
import { waitForSignal } from '../boot/waitForSignal.ts'
import { beginStep } from '../progress.ts'
import { version } from '../version.ts'

/** `adminUi` replaces the built admin UI. */
export const start = (adminUi?: RouteGroup) => run('start', ['http', 'worker'], adminUi)
export const serve = () => run('serve', ['http'])
export const work = () => run('work', ['worker'])

/** Time limit of a shutdown after the last pending vendor call. After it, the process exits with code 1. */
const shutdownMs = 14_000
/** Time to flush stdout and stderr before the exit. */
const flushMs = 200

/** Runs the roles in this process until it receives a signal. Contract: docs/contract.md#start-and-stop-of-a-process. */
async function run(command: Command, roles: ProcessRole[], adminUi?: RouteGroup): Promise<number> {
  const config = readConfig(process.env, { command, vendors })
  const log = commandLogger(config)
  logWarnings(log)
  const signalReceived = waitForSignal()
  const write = (text: string) => process.stdout.write(text)
  const isShown = printsPhases(config, isPretty(config))
  const phases = isShown ? printedPhases({ log, write, title: `Atelier ${version}`, beginStep }) : silentPhases
  const running = await startRoles(config, { roles, log, adminUi, phases })
  const { listeners } = running
  phases.end()
  const place = roles.includes('http') ? ownUrlOf(config, listeners) : 'to work'
  write(config.logFormat === 'json' ? entryOf('ready', { address: place }) : `ready ${place}\n`)
  const hasPrintedDemo = mayPrintDemo(config, listeners) && (await printDemo(running, config))
  if (isShown && !hasPrintedDemo && roles.includes('http')) write(describeAddresses(config, running))
  flushCompileCache()
  collectStartGarbage()
  const signal = await signalReceived
  log.info({ signal }, 'shutting down')
  const stopped = running.stop()
  void running.drained().then(() => setTimeout(() => process.exit(1), shutdownMs).unref())
  await stopped
  // Open connections to vendors would keep the process running, but their results are no longer used.
  setTimeout(() => process.exit(0), flushMs).unref()
  return 0
}

/** Node would print its warnings, such as deprecations, as plain text. */
function logWarnings(log: ReturnType<typeof commandLogger>): void {
  process.removeAllListeners('warning')
  process.on('warning', (error) => log.warn({ error }, 'warning of Node.js'))
}

/** The start leaves garbage of some 20 MB, which V8 would keep while the process is idle. */
function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: { flavor: 'last-resort' }) => void
  gc({ flavor: 'last-resort' })
}

/** The demo prints a key and a password, and logs may be shared. So all listeners must be local. */
function mayPrintDemo({ database }: Config, listeners: readonly ListenerConfig[]): boolean {
  return database.kind === 'embedded' && listeners.some(servesPublic) && listeners.every(({ host }) => isLoopback(host))
}

/** A process with only the internal listener serves no docs, and its own address is not the public one. */
function describeAddresses(config: Config, { publicUrl, listeners }: Pick<Running, 'publicUrl' | 'listeners'>): string {
  if (!listeners.some(servesPublic)) return `integrations: ${ownUrlOf(config, listeners)}/integrations\n`
  return `integrations: ${publicUrl}/integrations\ndocs: ${publicUrl}/docs/guides/quickstart\n`
}

/**
 * Prints the demo of a first start, and later how to get a new one. Returns whether it printed the addresses.
 * Contract: docs/contract.md#start-and-stop-of-a-process.
 */
async function printDemo(
  { services, publicUrl }: Pick<Running, 'services' | 'publicUrl'>,
  { logFormat }: Pick<Config, 'logFormat'>,
): Promise<boolean> {
  const demo = await makeDemoTeam(services)
  if (logFormat === 'json') process.stdout.write(entryOf('demo', demo ? { ...demo } : { next: demoHint }))
  else process.stdout.write(demo ? describeDemo(demo, publicUrl) : `demo: ${demoHint}\n`)
  return demo !== undefined
}

const demoHint = '`npm run -s atelier -- demo` prints a new key and password'

/** Formats a line that is printed at every LOG_LEVEL, as an entry of the log. */
function entryOf(msg: string, fields: object): string {
  return `${JSON.stringify({ level: 'info', time: new Date().toISOString(), pid: process.pid, ...fields, msg })}\n`
}
