import { setTimeout as pause } from 'node:timers/promises'
import type { DrillStage } from './drillStage.ts'
import { startAll, timeOne } from './drillWork.ts'

/** Median milliseconds from start to end of one team's work, alone and beside another team's; and how much of that waited meanwhile. */
export type Fairness = { aloneMs: number; besideMs: number; waitingAtFirst: number; waitingAtEnd: number }

const samples = 11
const besideSeconds = 120
const kind = 'synchronous'

/** Ends while work of the other team still waits. */
export async function measureFairness(stage: DrillStage, waiting: number): Promise<Fairness> {
  const [small, large] = [await stage.makeTeam('small'), await stage.makeTeam('large')]
  const alone: number[] = []
  for (let n = 0; n < samples; n++) alone.push(await timeOne(stage, { team: small, kind, name: `alone-${n}` }))
  await startAll(stage, { team: large, kind, count: waiting, name: 'large' })
  const waitingAtFirst = await countWaiting(stage)
  // Unfinished ones count with the time until now.
  const beside: number[] = []
  const until = performance.now() + besideSeconds * 1000
  for (let n = 0; n < samples && performance.now() < until; n++) {
    const begunAt = performance.now()
    const timed = timeOne(stage, { team: small, kind, name: `beside-${n}` })
    timed.catch(() => undefined)
    const late = pause(until - begunAt, undefined, { ref: false }).then(() => performance.now() - begunAt)
    beside.push(await Promise.race([timed, late]))
  }
  return { aloneMs: median(alone), besideMs: median(beside), waitingAtFirst, waitingAtEnd: await countWaiting(stage) }
}

async function countWaiting({ ask }: DrillStage): Promise<number> {
  const [row] = await ask<{ count: number }>(`select count(*)::integer as count from generations where state = 'queued'`)
  return row?.count ?? 0
}

function median(values: number[]): number {
  const inOrder = values.toSorted((left, right) => left - right)
  return Math.round(inOrder[Math.floor(inOrder.length / 2)] ?? 0)
}
