import { deepStrictEqual } from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '../../../test/support/chaos/audit.ts'
import { type Balancer, makeBalancer } from '../../../test/support/chaos/balancer.ts'
import { type Acknowledged, startLoad } from '../../../test/support/chaos/load.ts'
import { type ChaosTeam, makeOperator, type Operator } from '../../../test/support/chaos/operator.ts'
import { brokenPromises, countedLine, readBooks } from './books.ts'
import type { Surroundings } from './surroundings.ts'
import type { Release, Way } from './way.ts'
import { within } from './within.ts'

type Play<R extends Release> = { releases: { previous: R; current: R }; surroundings: Surroundings; printLine(line: string): void }

/** Generations of each kind for each disturbance: with a vendor that takes up to 30 seconds, work is open when it comes. */
const perKind = 6
const startsMs = 3_000
const [stepSeconds, restSeconds] = [300, 120]

/**
 * Deploys the previous release, upgrades it under load, rolls it back and upgrades it again, kills the service in each way, and restores its
 * backup. After each step every acknowledged generation must have ended, nothing may be billed or charged twice, and the books must balance.
 * Throws at the first broken promise, or when a step takes too long.
 */
export async function playDeployment<R extends Release>(way: Way<R>, { releases, surroundings, printLine }: Play<R>): Promise<void> {
  const { previous, current } = releases
  const balancer = makeBalancer([{ name: way.name, host: '127.0.0.1', port: way.port, isUp: () => true }])
  const timed = async (words: string, work: () => Promise<unknown>) => {
    printLine(`${way.name}: ${words} …`)
    const startedAt = performance.now()
    await within(stepSeconds, `${way.name}: ${words}`, work())
    printLine(`${way.name}: ${words}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  await timed(`deploy ${previous.version}`, () => way.deploy(previous))
  const bench = await openBench(way, balancer, surroundings)
  await bench.work('first', () => pause(startsMs)).then(printLine)
  const changes = {
    [`upgrade to ${current.version}`]: () => way.upgrade(current),
    [`roll back to ${previous.version}`]: () => way.rollBack(previous),
    [`upgrade to ${current.version} again`]: () => way.upgrade(current),
  }
  for (const [words, change] of Object.entries(changes)) await bench.work(words, () => timed(`${words} under load`, change)).then(printLine)
  await timed('doctor', () => way.doctor())
  for (const { words, kill, recover } of way.kills) {
    const disturb = async () => {
      await pause(startsMs - 500)
      await kill()
      bench.kills.push(performance.now())
      const open = surroundings.vendor.works.filter(({ madeAt }) => madeAt === undefined).length
      if (open === 0) throw new Error(`${way.name}: nothing was open at the vendor at the kill`)
      printLine(`${way.name}: killed while ${open} works were open at the vendor`)
      await timed(`start again after ${words}`, recover)
    }
    await bench.work(words, disturb).then(printLine)
  }
  await timed('doctor', () => way.doctor())
  const before = await readBooks(balancer, bench.operator, bench.team)
  await timed('backup, its check and its proof', () => way.backup())
  await timed('restore into a new database and a new storage', () => way.restore())
  await bench.answers()
  deepStrictEqual(await readBooks(balancer, bench.operator, bench.team), before)
  printLine(`${way.name}: the restored service has the same ${before.generations.length} generations and credits; the old key works`)
  await bench.work('restored', () => pause(startsMs)).then(printLine)
  await timed('doctor', () => way.doctor())
}

type Bench = {
  operator: Operator
  team: ChaosTeam
  /** Times of kills. */
  kills: number[]
  /** Starts generations while `disturb` runs, waits until everything has ended, checks all promises, and returns the counts. */
  work(name: string, disturb: () => Promise<unknown>): Promise<string>
  /** Resolves when the service answers the team. */
  answers(): Promise<void>
}

async function openBench({ name }: { name: string }, balancer: Balancer, { vendor, receiver }: Surroundings): Promise<Bench> {
  const operator = makeOperator(balancer)
  const team = await within(stepSeconds, 'a new team', operator.makeTeam(name, receiver.addressOf(name)))
  receiver.expect(name, team.signingSecret)
  const acknowledged: Acknowledged[] = []
  const kills: number[] = []
  const rest = async () => {
    for (const deadline = performance.now() + restSeconds * 1000; !(await isAtRest(operator, team)); await pause(500))
      if (performance.now() > deadline) return
    await vendor.idle()
  }
  return {
    operator,
    team,
    kills,
    answers: async () => void (await within(stepSeconds, 'an answer', operator.account(team))),
    async work(words, disturb) {
      const loadName = `${name}-${words.replace(/\W+/g, '-')}-${acknowledged.length}`
      const load = startLoad(balancer, { key: team.key, name: loadName, count: 0, billed: perKind, overMs: startsMs })
      await Promise.all([load.done, pause(startsMs / 3).then(disturb)])
      acknowledged.push(...load.acknowledged.values())
      await rest()
      const evidence = { team, acknowledged, attempts: balancer.attempts, arrivals: receiver.arrivals(name), overAt: performance.now() }
      const findings = await audit(balancer, operator, { ...evidence, works: [...vendor.works], kills })
      const broken = brokenPromises(findings, { killed: kills.length > 0 })
      if (receiver.forged > 0) broken.push(`${receiver.forged} webhooks have a wrong signature`)
      if (broken.length > 0) throw new Error(`${name}, after "${words}": ${broken.join('; ')}`)
      return `${name}, after "${words}": ${countedLine(findings)}`
    },
  }
}

/** No credit is held, and every event is delivered. */
async function isAtRest(operator: Operator, team: ChaosTeam): Promise<boolean> {
  const { creditsHeld } = await operator.account(team)
  return creditsHeld === 0 && (await operator.deliveries(team)).every(({ state }) => state === 'DELIVERED')
}
