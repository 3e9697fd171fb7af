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
  /** What the last `doctor` after the repair reported. */
  remainingFaults: Fault[]
}

type Document = { ok: boolean; checks: ({ ok: boolean } & Fault)[] }

const waitSeconds = 120

/** Causes an outage, waits until `doctor` and an alert report it, repairs it, and waits until neither reports it. */
export async function runOutage(outage: Outage, deployment: OutageDeployment): Promise<OutageResult> {
  const brokenAt = performance.now()
  await outage.break(deployment)
  const stopTraffic = startTraffic(outage, deployment)
  const result: OutageResult = { ...unknown, lastFaults: [], remainingFaults: [] }
  const [found, alertSeconds] = await Promise.all([
    until(brokenAt, async () => {
      const faults = await faultsOf(deployment)
      result.lastFaults = faults
      return faults.find(({ name }) => name === outage.check) && faults
    }),
    until(brokenAt, async () => (await deployment.alerts()).includes(outage.alert) || undefined),
  ]).finally(stopTraffic)
  await outage.repair(deployment)
  const repairedAt = performance.now()
  const [recovered] = await Promise.all([
    until(repairedAt, async () => {
      result.remainingFaults = await faultsOf(deployment)
      return result.remainingFaults.length === 0 || undefined
    }),
    until(repairedAt, async () => !(await deployment.alerts()).includes(outage.alert) || undefined),
  ])
  return {
    ...result,
    foundSeconds: found?.seconds,
    fault: found?.value.find(({ name }) => name === outage.check),
    alertSeconds: alertSeconds?.seconds,
    recoverySeconds: recovered?.seconds,
  }
}

const unknown = { foundSeconds: undefined, fault: undefined, alertSeconds: undefined, recoverySeconds: undefined }

/** The faults that `doctor --json` finds now. */
export async function faultsOf({ command }: Pick<OutageDeployment, 'command'>): Promise<Fault[]> {
  const { checks } = JSON.parse(await command(['doctor', '--json'], { mayFail: true })) as Document
  return checks.filter(({ ok }) => !ok)
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
