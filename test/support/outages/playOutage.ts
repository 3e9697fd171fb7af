import { setTimeout as pause } from 'node:timers/promises'
import type { OutageStage } from './outageStage.ts'
import type { Outage } from './outages.ts'

/** A fault in the document of `doctor --json`. */
export type Fault = { name: string; detail: string; since: string | null; effect: string; next: string; runbook: string }

/** Seconds from the break to the end of the `doctor` that named it and to the alert, and from the end of the repair to a calm `doctor`. */
export type OutageResult = {
  foundSeconds: number | undefined
  fault: Fault | undefined
  /** All that the last `doctor` before the repair named. */
  seen: Fault[]
  alertSeconds: number | undefined
  calmSeconds: number | undefined
  /** What `doctor` still said when it did not become calm. */
  left: Fault[]
}

type Document = { ok: boolean; checks: ({ ok: boolean } & Fault)[] }

const waitSeconds = 120

/** Breaks one thing, waits until `doctor` and an alert name it, repairs it, and waits until both are calm. */
export async function playOutage(outage: Outage, stage: OutageStage): Promise<OutageResult> {
  const brokenAt = performance.now()
  await outage.break(stage)
  const stopUsing = startUsing(outage, stage)
  const result: OutageResult = { ...unknown, seen: [], left: [] }
  const [found, alertSeconds] = await Promise.all([
    until(brokenAt, async () => {
      const faults = await faultsOf(stage)
      result.seen = faults
      return faults.find(({ name }) => name === outage.check) && faults
    }),
    until(brokenAt, async () => (await stage.alerts()).includes(outage.alert) || undefined),
  ]).finally(stopUsing)
  await outage.repair(stage)
  const repairedAt = performance.now()
  const [calm] = await Promise.all([
    until(repairedAt, async () => {
      result.left = await faultsOf(stage)
      return result.left.length === 0 || undefined
    }),
    until(repairedAt, async () => !(await stage.alerts()).includes(outage.alert) || undefined),
  ])
  return {
    ...result,
    foundSeconds: found?.seconds,
    fault: found?.value.find(({ name }) => name === outage.check),
    alertSeconds: alertSeconds?.seconds,
    calmSeconds: calm?.seconds,
  }
}

const unknown = { foundSeconds: undefined, fault: undefined, alertSeconds: undefined, calmSeconds: undefined }

/** The faults that `doctor --json` finds now. */
export async function faultsOf({ command }: Pick<OutageStage, 'command'>): Promise<Fault[]> {
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

function startUsing({ use }: Outage, stage: OutageStage): () => Promise<void> {
  if (!use) return async () => undefined
  const stopping = new AbortController()
  const using = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      await use(stage, round)
      await pause(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopping.abort()
    await using
  }
}
