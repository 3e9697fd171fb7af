import { flushCompileCache } from 'node:module'
import { type Command, type Config, type ListenerConfig, readConfig } from '../../config/readConfig.ts'
import type { RouteGroup } from '../../http/routeGroup.ts'
import { vendors } from '../../providers/vendors.ts'
import { isLoopback } from '../../transport/localCaller.ts'
import { type Demo, firstGeneration, makeDemoTeam } from '../boot/demoTeam.ts'
import { ownUrlOf, servesPublic } from '../boot/listeners.ts'
import { makeLogger } from '../boot/logger.ts'
import { type Role, startRoles } from '../boot/startRoles.ts'
import { waitForSignal } from '../boot/waitForSignal.ts'

/** `adminUi` replaces the built admin UI. */
export const start = (adminUi?: RouteGroup) => run('start', ['http', 'worker'], adminUi)
export const serve = () => run('serve', ['http'])
export const work = () => run('work', ['worker'])

/** The limit of a shutdown, after the last pending vendor call. */
const shutdownMs = 14_000
/** Time to flush the last output. */
const flushMs = 200

/** Runs the roles in this process until a signal ends it. Contract: docs/contract.md#start-and-stop-of-a-process. */
async function run(command: Command, roles: Role[], adminUi?: RouteGroup): Promise<number> {
  const config = readConfig(process.env, { command, vendors })
  const log = makeLogger({ level: config.logLevel })
  const ending = waitForSignal()
  const running = await startRoles(config, { roles, log, adminUi })
  const { listeners, publicUrl } = running
  const demo = wantsDemo(config, listeners) ? await makeDemoTeam(running.services) : undefined
  announce(roles.includes('http') ? ownUrlOf(config, listeners) : 'to work', demo && { ...demo, publicUrl })
  flushCompileCache()
  const signal = await ending
  log.info({ signal }, 'shutting down')
  const stopped = running.stop()
  void running.drained().then(() => setTimeout(() => process.exit(1), shutdownMs).unref())
  await stopped
  // Open connections to vendors would keep the process running, but their results are no longer used.
  setTimeout(() => process.exit(0), flushMs).unref()
  return 0
}

/** Only if all listeners are local: the key and the password are printed, and logs may be shared. */
function wantsDemo({ database }: Config, listeners: readonly ListenerConfig[]): boolean {
  return database.kind === 'embedded' && listeners.some(servesPublic) && listeners.every(({ host }) => isLoopback(host))
}

/** Prints the lines that people and scripts wait for. Contract: docs/contract.md#start-and-stop-of-a-process. */
function announce(what: string, demo: (Demo & { publicUrl: string }) | undefined): void {
  process.stdout.write(`ready ${what}\n`)
  if (demo === undefined) return
  const { key, email, password, publicUrl } = demo
  process.stdout.write(`demo key: ${key}\nintegrations: ${publicUrl}/integrations\nsign in: ${email} ${password}\n`)
  process.stdout.write(`docs: ${publicUrl}/docs/guides/quickstart\n`)
  process.stdout.write(`\nA first image, to paste:\n${firstGeneration(publicUrl, key)}\n`)
}
