import { makeBatcher } from '../../concurrency/batcher.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../../domain/context.ts'
import { teamsOfSubscriptions } from '../../domain/webhooks/sending/deliveryJobs.ts'
import { makePlacePauses, makeTeamPlaces } from './teamPlaces.ts'

/** A place of a runner for one subscription, or no place. */
export type DeliveryPlace = {
  /** Without a place: the pause before the job tries again. */
  pauseSeconds: number | null
  /** Whether another subscription of the team waits for a place. */
  isWanted(): boolean
  /** Returns the subscription of the team that has waited longest. Its job is to run at once. */
  release(): string | undefined
}

const noPlace = { isWanted: () => false, release: () => undefined }

/** The places of both runners, of `total` each, by team ({@link makeTeamPlaces}). */
export function makeDeliveryPlaces(context: Context, total: number) {
  const places = { healthy: makeTeamPlaces(total), troubled: makeTeamPlaces(total) }
  const pauses = makePlacePauses()
  const findTeam = makeTeamLookup(context)
  return async (subscriptionId: string, { troubled }: { troubled: boolean }): Promise<DeliveryPlace> => {
    const ofRunner = troubled ? places.troubled : places.healthy
    const team = await findTeam(subscriptionId)
    if (!ofRunner.take(team, subscriptionId)) return { ...noPlace, pauseSeconds: pauses.next(subscriptionId) }
    pauses.served(subscriptionId)
    return { pauseSeconds: null, isWanted: () => ofRunner.isWanted(team), release: () => ofRunner.release(team) }
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
