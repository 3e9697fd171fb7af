import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { audit, type Findings } from './audit.ts'
import { type Attempt, makeBalancer } from './balancer.ts'
import type { Deployment } from './deployment.ts'
import type { Fault, Stage } from './faults.ts'
import { type Load, startLoad } from './load.ts'
import { type ChaosTeam, makeOperator, type Operator } from './operator.ts'

const run = promisify(execFile)
const beforeMs = 2_000
const afterMs = 5_000
const settleMs = 90_000
const pollIntervalMs = 500

/** The result of a fault. `unknownAfterwards`: acknowledged starts that the service had lost, and that were sent again. */
export type Outcome = Findings & {
  booksBalanced: boolean
  unknownAfterwards: number
  forged: number
  endedInTime: boolean
  /** The requests, without those of the check. */
  attempts: Attempt[]
}

/** The parts of a deployment that a run needs. */
export type PlayedDeployment = Pick<Deployment, 'servers' | 'victims' | 'vendor' | 'env' | 'storageFolder'> & {
  kind: string
  database: Pick<Deployment['database'], 'target'>
}

type PlayOptions = {
  count: number
  billed: number
  /** Starts further work beside the load; the returned function ends it. */
  beside?(team: ChaosTeam, load: Load): () => Promise<void>
}

/**
 * Runs one fault for a new team and checks all promises. Meanwhile the team starts `count` generations of the sandbox and
 * `billed` of each kind of the billing vendor.
 */
export async function playFault<Played extends PlayedDeployment>(
  fault: Fault<Played>,
  stage: Stage<Played>,
  { count, billed, beside }: PlayOptions,
): Promise<Outcome> {
  const { deployment, receiver } = stage
  await fault.prepare?.(stage)
  const balancer = makeBalancer(deployment.servers)
  const operator = makeOperator(balancer)
  const team = await operator.makeTeam(fault.name, receiver.addressOf(fault.name))
  receiver.expect(fault.name, team.signingSecret)
  const endProbes = balancer.probe(team.key)
  const overMs = beforeMs + fault.seconds * 1000 + afterMs
  const load = startLoad(balancer, { key: team.key, name: fault.name, count, billed, overMs })
  const endBeside = beside?.(team, load)
  // Handled from here on, because a rejection in between would be unhandled.
  const loaded = load.done.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  await pause(beforeMs)
  const kills = [performance.now()]
  await fault.begin(stage)
  kills.push(performance.now())
  await pause(fault.seconds * 1000)
  await fault.end?.(stage)
  const overAt = performance.now()
  if (!fault.late) await fault.restore?.(stage)
  const failed = await loaded
  if (failed) throw failed.error
  const unknownAfterwards = fault.mayLoseRecentWork ? await load.repeatUnknown() : 0
  const endedInTime = await settle(operator, team, overAt + settleMs)
  await Promise.all([endProbes(), endBeside?.()])
  if (fault.late) await fault.restore?.(stage)

  // Requests of the check itself do not count.
  const attempts = [...balancer.attempts]
  await deployment.vendor.idle()
  const works = deployment.vendor.works.filter(({ prompt }) => prompt.startsWith(`${fault.name}-`))
  const acknowledged = [...load.acknowledged.values()]
  const evidence = { team, acknowledged, attempts, arrivals: receiver.arrivals(fault.name), overAt, works, kills }
  const findings = await audit(makeBalancer(deployment.servers), makeOperator(makeBalancer(deployment.servers)), evidence)
  const booksBalanced = await doctorPasses(deployment)
  return { ...findings, booksBalanced, unknownAfterwards, forged: receiver.forged, endedInTime, attempts }
}

/** Waits until no credit is held and every event is delivered. */
async function settle(operator: Operator, team: ChaosTeam, until: number): Promise<boolean> {
  while (performance.now() < until) {
    const { creditsHeld } = await operator.account(team)
    if (creditsHeld === 0 && (await operator.deliveries(team)).every(({ state }) => state === 'DELIVERED')) return true
    await pause(pollIntervalMs)
  }
  return false
}

/** The books as checked by `atelier doctor`, over all teams of the deployment. */
async function doctorPasses({ database, env, victims, storageFolder }: PlayedDeployment): Promise<boolean> {
  const settings = {
    ...env,
    PATH: process.env['PATH'],
    DATABASE_URL: `postgresql://atelier@127.0.0.1:${database.target.port}/atelier`,
    DATA_DIR: victims[0]?.dataFolder ?? '',
    STORAGE_URL: `file://${storageFolder ?? victims[0]?.dataFolder}`,
  }
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', 'doctor'], { env: settings, timeout: 60_000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  )
  return stdout.includes('ok    books')
}
