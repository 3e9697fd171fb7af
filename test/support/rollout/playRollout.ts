import { setTimeout as pause } from 'node:timers/promises'
import { audit, type Findings } from '../chaos/audit.ts'
import { type HookReceiver, startHookReceiver } from '../chaos/hookReceiver.ts'
import { type Acknowledged, clientOf } from '../chaos/load.ts'
import { type ChaosTeam, makeOperator, type Operator } from '../chaos/operator.ts'
import { type LockWatch, type LongestWait, openLockWatch } from './lockWatch.ts'
import { type MixedCounts, startMixedLoad } from './mixedLoad.ts'
import { openReadyBalancer, type ReadyBalancer, type TimedAttempt } from './readyBalancer.ts'
import { openRolloutStage, type RolloutStage, type Side, type StageOptions } from './rolloutStage.ts'
import { startSteadyLoad } from './steadyLoad.ts'

/** `up`: new processes start while old ones run. `down`: old processes return to a database that new ones upgraded. */
export type Order = 'up' | 'down'

export type RolloutOptions = StageOptions & { order: Order; rows: number; startsPerSecond: number; say(words: string): void }

/** The result of a change of releases. */
export type RolloutOutcome = Findings & {
  counts: MixedCounts
  /** Generations that were started with a callback, and whose callback did not arrive. */
  uncalled: number
  booksBalanced: boolean
  endedInTime: boolean
  forged: number
  /** Requests without an answer or with 5xx, with request and process. */
  bad: string[]
  /** Milliseconds, without waits and streams. */
  longestRequest: number
  longestWhileStarting: { ms: number; words: string }
  longestLock: LongestWait
  /** From the start of the second release until all its processes were ready. */
  startingSeconds: number
  /** Migrations applied during the load. */
  migrated: number[]
}

const beforeMs = 5_000
const besideMs = 8_000
const afterMs = 5_000
const settleMs = 90_000

/** Replaces one release by the other under load, and checks all promises to the team. */
export async function playRollout(options: RolloutOptions): Promise<RolloutOutcome> {
  const stage = await openRolloutStage(options)
  const balancer = openReadyBalancer()
  const receiver = await startHookReceiver()
  const closers: Played['closers'] = [() => receiver.leave(), () => stage.close(), () => balancer.close()]
  try {
    return await play(stage, { balancer, receiver, options, closers })
  } finally {
    for (const closer of closers.toReversed()) await closer()
  }
}

type Played = { balancer: ReadyBalancer; receiver: HookReceiver; options: RolloutOptions; closers: (() => Promise<void>)[] }

async function play(stage: RolloutStage, { balancer, receiver, options, closers }: Played): Promise<RolloutOutcome> {
  const { order, rows, say, startsPerSecond } = options
  const [first, second] = order === 'up' ? [stage.old, stage.new] : [stage.new, stage.old]
  await startSide(first, balancer)
  const operator = makeOperator(balancer)
  if (rows > 0) {
    const teams = [
      await operator.makeTeam('large', receiver.addressOf('large')),
      await operator.makeTeam('average', receiver.addressOf('none')),
    ] as const
    say(`${order}: a history of ${rows} generations and deliveries …`)
    await stage.seed([...teams], rows)
  }
  const name = `rollout-${order}`
  const team = await operator.makeTeam(name, receiver.addressOf(name))
  receiver.expect(name, team.signingSecret)
  const before = new Set(await stage.applied())
  const locks = await openLockWatch(stage.cluster.port)
  closers.push(() => locks.close())
  const from = balancer.attempts.length

  say(`${order}: the load begins on ${first.name} processes`)
  const load = startSteadyLoad(balancer, { key: team.key, name, startsPerSecond })
  const callbacks = `${name}-callbacks`
  let secret: string | undefined
  const callbackUrl = async () => {
    secret ??= await operator.callbackSecret(team)
    if (secret === undefined) return undefined
    receiver.expect(callbacks, secret)
    return receiver.addressOf(callbacks)
  }
  const mixed = startMixedLoad(balancer, { key: team.key, name, load, callbackUrl })
  await pause(beforeMs)
  const begunAt = performance.now()
  const starting = await whileWatched(locks, () => startSide(second, balancer))
  const readyAt = performance.now()
  say(`${order}: ${second.name} processes run beside ${first.name} ones, ready after ${((readyAt - begunAt) / 1000).toFixed(1)} s`)
  await pause(besideMs)
  const changing = await whileWatched(locks, () => stopSide(first))
  say(`${order}: ${first.name} processes are gone`)
  await pause(afterMs)
  await Promise.all([load.end(), mixed.end()])
  const overAt = performance.now()
  const uncalled = () => {
    const arrived = new Set(receiver.arrivals(callbacks).map(({ generationId }) => generationId))
    return mixed.called.filter((id) => !arrived.has(id)).length
  }
  // Processes of the previous release send no callbacks.
  const isAtRest = () => order === 'down' || uncalled() === 0
  const endedInTime = await settle(operator, team, { until: overAt + settleMs, isAtRest })

  const attempts = balancer.attempts.slice(from)
  const evidence = { team, acknowledged: [...load.acknowledged.values()], attempts, arrivals: receiver.arrivals(name), overAt }
  const findings = await audit(balancer, operator, evidence)
  const timed = attempts.filter(({ waits, status }) => !waits && status !== undefined)
  return {
    ...findings,
    lost: findings.lost + (await unknownOf(balancer, team, evidence.acknowledged)),
    counts: mixed.counts,
    uncalled: order === 'down' ? 0 : uncalled(),
    booksBalanced: await stage.booksBalanced(second),
    endedInTime,
    forged: receiver.forged,
    bad: attempts
      .filter(({ status }) => status === undefined || status >= 500)
      .map((each) => `${each.status ?? 'no answer'} ${each.request} of ${each.server}`),
    longestRequest: slowest(timed).ms,
    longestWhileStarting: slowest(timed.filter((each) => each.endedAt >= begunAt && each.begunAt <= readyAt)),
    longestLock: starting.ms > changing.ms ? starting : changing,
    startingSeconds: (readyAt - begunAt) / 1000,
    migrated: (await stage.applied()).filter((version) => !before.has(version)).toSorted((left, right) => left - right),
  }
}

async function startSide({ processes }: Side, balancer: ReadyBalancer): Promise<void> {
  await Promise.all(processes.map((one) => one.start()))
  for (const one of processes.filter(({ name }) => name.includes('serve'))) {
    balancer.add(one)
    while (!balancer.isReady(one)) await pause(50)
  }
}

/** One after the other, like a platform. */
async function stopSide({ processes }: Side): Promise<void> {
  for (const one of processes) await one.stop()
}

async function whileWatched(locks: LockWatch, work: () => Promise<void>): Promise<LongestWait> {
  locks.begin()
  await work()
  return locks.longest()
}

function slowest(attempts: TimedAttempt[]): { ms: number; words: string } {
  let longest = { ms: 0, words: '' }
  for (const { begunAt, endedAt, request, server } of attempts) {
    if (endedAt - begunAt > longest.ms) longest = { ms: endedAt - begunAt, words: `${request} of ${server}` }
  }
  return longest
}

/** Waits until no credit is held, every event is delivered, and `isAtRest`. */
async function settle(operator: Operator, team: ChaosTeam, { until, isAtRest }: { until: number; isAtRest(): boolean }): Promise<boolean> {
  while (performance.now() < until) {
    const { creditsHeld } = await operator.account(team)
    if (creditsHeld === 0 && (await operator.deliveries(team)).every(({ state }) => state === 'DELIVERED') && isAtRest()) return true
    await pause(500)
  }
  return false
}

/** The number of ids that `GET` does not find. */
async function unknownOf(balancer: ReadyBalancer, { key }: ChaosTeam, acknowledged: Acknowledged[]): Promise<number> {
  const client = clientOf(balancer, key)
  let unknown = 0
  for (const { generationId } of acknowledged) await client.getGeneration(generationId).catch(() => (unknown += 1))
  return unknown
}
