import { makeBatcher } from '../../concurrency/batcher.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../../domain/context.ts'
import { teamsOfSubscriptions } from '../../domain/webhooks/sending/deliveryJobs.ts'
import { makeSlotBackoff, makeTeamSlots } from './teamSlots.ts'

/** A slot of a runner for one subscription, or no slot. */
export type DeliverySlot = {
  /** Without a slot: the pause before the job tries again. */
  pauseSeconds: number | null
  /** Whether another subscription needs the slot. */
  isWanted(): boolean
  /** Returns a subscription of the team that waits without a job slot. Its job is to run at once. */
  release(): string | undefined
}

const noSlot = { isWanted: () => false, release: () => undefined }

export type DeliverySlots = {
  /** Takes a slot, or waits for one a short time. */
  take(subscriptionId: string, options: { troubled: boolean }): Promise<DeliverySlot>
  /** Ends all waits. They get no slot. */
  close(): void
}

/** The slots of both runners, of `total` each, by team ({@link makeTeamSlots}). */
export function makeDeliverySlots(context: Context, total: number): DeliverySlots {
  const slots = { healthy: makeTeamSlots(total), troubled: makeTeamSlots(total) }
  const backoff = makeSlotBackoff()
  const findTeam = makeTeamLookup(context)
  return {
    async take(subscriptionId, { troubled }) {
      const ofRunner = troubled ? slots.troubled : slots.healthy
      const team = await findTeam(subscriptionId)
      if (!(await ofRunner.take(team, subscriptionId))) return { ...noSlot, pauseSeconds: backoff.next(subscriptionId) }
      backoff.reset(subscriptionId)
      return { pauseSeconds: null, isWanted: () => ofRunner.isWanted(team), release: () => ofRunner.release(team) }
    },
    close() {
      slots.healthy.close()
      slots.troubled.close()
    },
  }
}

const atOnceMax = 400
const keptMax = 10_000

/** Looks up the team of a subscription, once in this process: it never changes. A deleted subscription counts as a team of its own. */
function makeTeamLookup(context: Context): (subscriptionId: string) => Promise<string> {
  const known = new Map<string, string>()
  const find = makeBatcher((ids: string[]) => teamsOfSubscriptions(context, ids), {
    atOnceMax,
    isShared: (error) => error instanceof Refusal,
  })
  return async (subscriptionId) => {
    const kept = known.get(subscriptionId)
    if (kept !== undefined) return kept
    const team = (await find(subscriptionId)) ?? subscriptionId
    if (known.size >= keptMax) known.clear()
    known.set(subscriptionId, team)
    return team
  }
}
