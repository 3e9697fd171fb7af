import { deepStrictEqual } from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '../../../test/support/chaos/audit.ts'
import { type Balancer, makeBalancer } from '../../../test/support/chaos/balancer.ts'
import { type Acknowledged, clientOf, startLoad } from '../../../test/support/chaos/load.ts'
import { type ChaosTeam, makeOperator, type Operator } from '../../../test/support/chaos/operator.ts'
import { printLine } from '../printLine.ts'
import { brokenPromises, summaryOf } from './brokenPromises.ts'
import type { Deployment, Release } from './deployment.ts'
import type { ExternalServices } from './externalServices.ts'

type DrillOptions<R extends Release> = { releases: { previous: R; current: R }; services: ExternalServices }

/** Generations of each kind for each step: with a vendor that takes up to 30 seconds, some are open when the step disturbs them. */
const perKind = 6
const startsMs = 3_000
const [stepSeconds, idleSeconds] = [300, 120]

/**
 * Deploys the previous release, upgrades it under load, rolls it back and upgrades it again, kills the service in each way, and restores its
 * backup. After each step every acknowledged generation must have ended, nothing may be billed or charged twice, and the books must balance.
 * Throws at the first broken promise, or when a step takes too long.
 */
export async function runDeploymentDrill<R extends Release>(
  deployment: Deployment<R>,
  { releases, services }: DrillOptions<R>,
): Promise<void> {
  const { name } = deployment
  const { previous, current } = releases
  const balancer = makeBalancer([{ name, host: '127.0.0.1', port: deployment.port, isUp: () => true }])
  const timed = async (words: string, work: () => Promise<unknown>) => {
    printLine(`${name}: ${words} …`)
    const startedAt = performance.now()
    await withTimeout(stepSeconds, { words: `${name}: ${words}`, work: work() })
    printLine(`${name}: ${words}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  await timed(`deploy ${previous.version}`, () => deployment.deploy(previous))
  const workload = await openWorkload(deployment, balancer, services)
  await workload.run('first', () => pause(startsMs))
  const changes = {
    [`upgrade to ${current.version}`]: () => deployment.upgrade(current),
    [`roll back to ${previous.version}`]: () => deployment.rollBack(previous),
    [`upgrade to ${current.version} again`]: () => deployment.upgrade(current),
  }
  for (const [words, change] of Object.entries(changes)) await workload.run(words, () => timed(`${words} under load`, change))
  await timed('doctor', () => deployment.doctor())
  for (const { words, kill, recover } of deployment.kills) {
    const disturb = async () => {
      await pause(startsMs - 500)
      await kill()
      workload.kills.push(performance.now())
      const open = services.vendor.works.filter(({ madeAt }) => madeAt === undefined).length
      if (open === 0) throw new Error(`${name}: the vendor had no open request at the kill`)
      printLine(`${name}: killed while the vendor had ${open} open requests`)
      await timed(`start again after ${words}`, recover)
    }
    await workload.run(words, disturb)
  }
  await timed('doctor', () => deployment.doctor())
  const before = await readState(balancer, workload)
  await timed('backup, its check and its proof', () => deployment.backup())
  await timed('restore into a new database and a new storage', () => deployment.restore())
  await workload.awaitAnswer()
  deepStrictEqual(await readState(balancer, workload), before)
  printLine(`${name}: the restored service has the same ${before.generations.length} generations and credits, and accepts the old key`)
  await workload.run('restored', () => pause(startsMs))
  await timed('doctor', () => deployment.doctor())
}

type Workload = {
  operator: Operator
  team: ChaosTeam
  /** Times of kills. */
  kills: number[]
  /** Starts generations while `disturb` runs, waits until all have ended, checks all promises, and prints the counts. */
  run(words: string, disturb: () => Promise<unknown>): Promise<void>
  /** Resolves when the service answers the team. */
  awaitAnswer(): Promise<void>
}

async function openWorkload(
  { name }: Pick<Deployment, 'name'>,
  balancer: Balancer,
  { vendor, receiver }: ExternalServices,
): Promise<Workload> {
  const operator = makeOperator(balancer)
  const team = await withTimeout(stepSeconds, { words: 'a new team', work: operator.makeTeam(name, receiver.addressOf(name)) })
  receiver.expect(name, team.signingSecret)
  const acknowledged: Acknowledged[] = []
  const kills: number[] = []
  const awaitIdle = async () => {
    for (const deadline = performance.now() + idleSeconds * 1000; !(await isIdle(operator, team)); await pause(500))
      if (performance.now() > deadline) return
    await vendor.idle()
  }
  return {
    operator,
    team,
    kills,
    awaitAnswer: async () => void (await withTimeout(stepSeconds, { words: 'an answer', work: operator.account(team) })),
    async run(words, disturb) {
      const loadName = `${name}-${words.replace(/\W+/g, '-')}-${acknowledged.length}`
      const load = startLoad(balancer, { key: team.key, name: loadName, count: 0, billed: perKind, overMs: startsMs })
      await Promise.all([load.done, pause(startsMs / 3).then(disturb)])
      acknowledged.push(...load.acknowledged.values())
      await awaitIdle()
      const evidence = { team, acknowledged, attempts: balancer.attempts, arrivals: receiver.arrivals(name), overAt: performance.now() }
      const findings = await audit(balancer, operator, { ...evidence, works: [...vendor.works], kills })
      const broken = brokenPromises(findings, { killed: kills.length > 0 })
      if (receiver.forged > 0) broken.push(`${receiver.forged} webhooks have a wrong signature`)
      if (broken.length > 0) throw new Error(`${name}, after "${words}": ${broken.join('; ')}`)
      printLine(`${name}, after "${words}": ${summaryOf(findings)}`)
    },
  }
}

/** True when no credit is held and every event is delivered. */
async function isIdle(operator: Operator, team: ChaosTeam): Promise<boolean> {
  const { creditsHeld } = await operator.account(team)
  return creditsHeld === 0 && (await operator.deliveries(team)).every(({ state }) => state === 'DELIVERED')
}

/** Reads the whole history and the account of the team, to compare a restored deployment with the original. */
async function readState(balancer: Balancer, { operator, team }: Pick<Workload, 'operator' | 'team'>) {
  const generations: string[] = []
  for await (const { generationId, state, creditsCharged, result } of clientOf(balancer, team.key).history({ pageItems: 50 }))
    generations.push(`${generationId} ${state} ${creditsCharged} ${result?.sizeBytes}`)
  const { creditsAvailable, creditsHeld } = await operator.account(team)
  return { generations: generations.toSorted(), creditsAvailable, creditsHeld }
}

/** Rejects after `seconds`, with `words` in the message. */
async function withTimeout<Value>(seconds: number, { words, work }: { words: string; work: Promise<Value> }): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${words}: not done after ${seconds} s`)), seconds * 1000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
