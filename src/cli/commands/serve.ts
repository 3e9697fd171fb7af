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

/** `adminUi` takes the place of the bundle. */
export const start = (adminUi?: RouteGroup) => run('start', ['http', 'worker'], adminUi)
export const serve = () => run('serve', ['http'])
export const work = () => run('work', ['worker'])

/** A shutdown that takes longer is cut short, once no vendor's answer is waited for. */
const shutdownMs = 14_000
/** What is written last is on its way. */
const lastWordsMs = 200

/** Runs the roles in this process until it is told to end. Contract: docs/contract.md#start-and-stop-of-a-process. */
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
  // A vendor may take minutes to answer; by now nobody here could do anything with its answer.
  setTimeout(() => process.exit(0), lastWordsMs).unref()
  return 0
}

/** Where nobody but whoever sits at this machine can use it: the key and the password are printed, and logs travel. */
function wantsDemo({ database }: Config, listeners: readonly ListenerConfig[]): boolean {
  return database.kind === 'embedded' && listeners.some(servesPublic) && listeners.every(({ host }) => isLoopback(host))
}

/** The lines that a person, or a script, waits for. Contract: docs/contract.md#start-and-stop-of-a-process. */
function announce(what: string, demo: (Demo & { publicUrl: string }) | undefined): void {
  process.stdout.write(`ready ${what}\n`)
  if (demo === undefined) return
  const { key, email, password, publicUrl } = demo
  process.stdout.write(`demo key: ${key}\nintegrations: ${publicUrl}/integrations\nsign in: ${email} ${password}\n`)
  process.stdout.write(`docs: ${publicUrl}/docs/guides/quickstart\n`)
  process.stdout.write(`\nA first image, to paste:\n${firstGeneration(publicUrl, key)}\n`)
}
