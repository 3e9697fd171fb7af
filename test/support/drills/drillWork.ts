import { setTimeout as pause } from 'node:timers/promises'
import type { Generation } from '../../../clients/typescript/src/openapi.ts'
import { billingFamilies } from '../billing/billingCatalog.ts'
import { type Bill, billOf, type Work } from '../billing/work.ts'
import { clientOf } from '../chaos/load.ts'
import { type ChaosTeam, creditsGranted } from '../chaos/operator.ts'
import type { DrillStage } from './drillStage.ts'

/** The outcomes of a drill's starts. */
export type DrillReport = {
  started: number
  ready: number
  /** Other outcomes, as `class/reason` or state. */
  ends: Record<string, number>
  bill: Bill
  /** Credits paid by the team, and remaining holds; a start costs one. */
  charged: number
  held: number
  seconds: number
}

const startsAtOnce = 100
const pollIntervalMs = 500
const startSeconds = 240

type Starts = { team: ChaosTeam; kind: Work['kind']; count: number; name: string }

/** Starts `count` as fast as possible, each with an idempotency key; resolves when all were answered with 201. */
export async function startAll({ balancer }: DrillStage, { team, kind, count, name }: Starts): Promise<void> {
  const client = clientOf(balancer, team.key)
  let begun = 0
  async function startNext(): Promise<void> {
    while (begun < count) {
      const index = begun++
      const request = { familyId: billingFamilies[kind], prompt: `${name} ${index}` }
      await client.start(request, { idempotencyKey: `${name}-${index}`, timeoutSeconds: startSeconds })
    }
  }
  await Promise.all(Array.from({ length: startsAtOnce }, startNext))
}

/** Starts one and polls until its end; returns the milliseconds in between, by the service's timestamps. */
export async function timeOne({ balancer }: DrillStage, { team, kind, name }: Omit<Starts, 'count'>): Promise<number> {
  const client = clientOf(balancer, team.key)
  const { generationId } = await client.start({ familyId: billingFamilies[kind], prompt: name }, { idempotencyKey: name })
  for (;;) {
    const { createdAt, finishedAt }: Generation = await client.getGeneration(generationId)
    if (finishedAt !== null) return Date.parse(finishedAt) - Date.parse(createdAt)
    await pause(100)
  }
}

/** Waits with a limit until all have ended and the vendor is done; then counts. */
export async function finishDrill(
  stage: DrillStage,
  { team, begunAt, withinSeconds }: { team: ChaosTeam; begunAt: number; withinSeconds: number },
): Promise<DrillReport> {
  const until = performance.now() + withinSeconds * 1000
  let rows = await readEnds(stage)
  while (rows.some(({ finished }) => !finished) && performance.now() < until) {
    await pause(pollIntervalMs)
    rows = await readEnds(stage)
  }
  const seconds = Math.round((performance.now() - begunAt) / 1000)
  await stage.vendor.idle()
  const { creditsAvailable, creditsHeld } = await stage.operator.account(team)
  const names = rows.filter(({ state }) => state !== 'ready').map(({ state, failure }) => failure ?? state)
  return {
    started: rows.length,
    ready: rows.length - names.length,
    ends: Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length])),
    bill: billOf(stage.vendor.works, new Map(rows.map(({ prompt, state }) => [prompt, state]))),
    charged: creditsGranted - creditsAvailable - creditsHeld,
    held: creditsHeld,
    seconds,
  }
}

type Row = { prompt: string; state: string; failure: string | null; finished: boolean }

function readEnds({ ask }: DrillStage): Promise<Row[]> {
  return ask<Row>(
    `select prompt, state, (failure->>'code') || '/' || (failure->>'reason') as failure, state in ('ready', 'failed', 'cancelled') as finished
       from generations`,
  )
}
