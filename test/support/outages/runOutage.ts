import { setTimeout as pause } from 'node:timers/promises'
import type { OutageDeployment } from './outageDeployment.ts'
import type { Outage } from './outages.ts'

/** A fault in the document of `doctor --json`. */
export type Fault = { name: string; detail: string; since: string | null; effect: string; next: string; runbook: string }

/**
 * Seconds from the break to the end of the `doctor` that reported it, and to the alert. `recoverySeconds`: from the end of the repair to a
 * `doctor` without faults.
 */
export type OutageResult = {
  foundSeconds: number | undefined
  fault: Fault | undefined
  /** What the last `doctor` before the repair reported. */
  lastFaults: Fault[]
  alertSeconds: number | undefined
  recoverySeconds: number | undefined
  /** Every fault and alert besides the ones that name the cause, from the break to the repair. */
  otherFaults: string[]
  otherAlerts: string[]
  /** Those of them that are not among the consequences of the outage. */
  unexpected: string[]
  /** What the last `doctor` after the repair reported. */
  remainingFaults: Fault[]
}

type Document = { ok: boolean; checks: ({ ok: boolean } & Fault)[] }

const waitSeconds = 120
/** After both reports, for consequences that come later. */
const settleMs = 10_000

/** Alerts and a check that a slow machine may raise, because the rules have a short `for` here. */
const ofSlowMachine = ['AtelierEventLoopBlocked', 'AtelierPoolCrowded', 'event-loop']
const alwaysFires = 'AtelierWatchdog'

/**
 * Causes an outage, waits until `doctor` and an alert report it, repairs it, and waits until `doctor` has no fault and no alert fires. Records
 * every other fault and alert.
 */
export async function runOutage(outage: Outage, deployment: OutageDeployment): Promise<OutageResult> {
  const brokenAt = performance.now()
  await outage.break(deployment)
  const stopTraffic = startTraffic(outage, deployment)
  const result: OutageResult = { ...unknown, lastFaults: [], remainingFaults: [] }
  const [faults, alerts] = [new Set<string>(), new Set<string>()]
  const [found, alertSeconds] = await Promise.all([
    until(brokenAt, async () => {
      const found = await faultsOf(deployment)
      result.lastFaults = found
      for (const { name } of found) faults.add(name)
      return found.find(({ name }) => name === outage.check) && found
    }),
    until(brokenAt, async () => {
      for (const name of await deployment.alerts()) alerts.add(name)
      return alerts.has(outage.alert) || undefined
    }),
  ])
    .then(async (reports) => {
      await pause(settleMs)
      for (const { name } of await faultsOf(deployment)) faults.add(name)
      for (const name of await deployment.alerts()) alerts.add(name)
      return reports
    })
    .finally(stopTraffic)
  await outage.repair(deployment)
  const repairedAt = performance.now()
  const [recovered] = await Promise.all([
    until(repairedAt, async () => {
      result.remainingFaults = await faultsOf(deployment)
      return result.remainingFaults.length === 0 || undefined
    }),
    untilNoAlert(deployment),
  ])
  const otherFaults = [...faults].filter((name) => name !== outage.check)
  const otherAlerts = [...alerts].filter((name) => name !== outage.alert && name !== alwaysFires)
  const expected = [...outage.consequences, ...ofSlowMachine]
  return {
    ...result,
    otherFaults,
    otherAlerts,
    unexpected: [...otherFaults, ...otherAlerts].filter((name) => !expected.includes(name)),
    foundSeconds: found?.seconds,
    fault: found?.value.find(({ name }) => name === outage.check),
    alertSeconds: alertSeconds?.seconds,
    recoverySeconds: recovered?.seconds,
  }
}

const unknown = {
  ...{ foundSeconds: undefined, fault: undefined, alertSeconds: undefined, recoverySeconds: undefined },
  ...{ otherFaults: [], otherAlerts: [], unexpected: [] },
}

/** The faults that `doctor --json` finds now, without those of a slow machine. */
export async function faultsOf({ command }: Pick<OutageDeployment, 'command'>): Promise<Fault[]> {
  const { checks } = JSON.parse(await command(['doctor', '--json'], { mayFail: true })) as Document
  return checks.filter(({ ok, name }) => !ok && !ofSlowMachine.includes(name))
}

/** Waits until no alert fires except the watchdog and those of a slow machine, two minutes at most. */
export async function untilNoAlert({ alerts }: Pick<OutageDeployment, 'alerts'>): Promise<void> {
  const isQuiet = async () => (await alerts()).every((name) => name === alwaysFires || ofSlowMachine.includes(name))
  await until(performance.now(), async () => (await isQuiet()) || undefined)
}

/** Repeats `look` until it finds something. Undefined after two minutes. */
async function until<Found>(since: number, look: () => Promise<Found | undefined>): Promise<{ seconds: number; value: Found } | undefined> {
  for (const end = performance.now() + waitSeconds * 1000; performance.now() < end; await pause(250)) {
    const value = await look()
    if (value !== undefined) return { seconds: (performance.now() - since) / 1000, value }
  }
  return undefined
}

function startTraffic({ traffic }: Outage, deployment: OutageDeployment): () => Promise<void> {
  if (!traffic) return async () => undefined
  const stopping = new AbortController()
  const running = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      await traffic(deployment, round)
      await pause(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopping.abort()
    await running
  }
}
