import { type Command, readConfig } from '../config/readConfig.ts'
import { firstGeneration, makeDemoTeam } from './demoTeam.ts'
import { makeLogger } from './logger.ts'
import { endingSignal } from './signals.ts'
import { type Role, startRoles } from './startRoles.ts'

export const start = () => run('start', ['http', 'worker'])
export const serve = () => run('serve', ['http'])
export const work = () => run('work', ['worker'])

/** A shutdown that takes longer is cut short. */
const shutdownMs = 14_000

/** Runs the roles in this process until it is told to end. Contract: section 1. */
async function run(command: Command, roles: Role[]): Promise<number> {
  const config = readConfig(process.env, { command })
  const log = makeLogger({ level: config.logLevel })
  const ending = endingSignal()
  const running = await startRoles(config, { roles, log })
  const demoKey = config.database.kind === 'embedded' ? await makeDemoTeam(running.services) : undefined
  announce(
    roles.includes('http') ? `${running.publicUrl}/api/v1` : 'to work',
    demoKey === undefined ? undefined : { demoKey, publicUrl: running.publicUrl },
  )
  const signal = await ending
  log.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), shutdownMs).unref()
  await running.stop()
  return 0
}

/** The lines that a person, or a script, waits for. Contract: section 1. */
function announce(what: string, demo: { demoKey: string; publicUrl: string } | undefined): void {
  process.stdout.write(`ready ${what}\n`)
  if (demo === undefined) return
  process.stdout.write(`demo key: ${demo.demoKey}\n\nA first image, to paste:\n${firstGeneration(demo.publicUrl, demo.demoKey)}\n`)
}
