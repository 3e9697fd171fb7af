import type { Callback } from '../../../src/contract/shapes/callback.ts'
import type { Context, Services } from '../../../src/domain/context.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { type ListedDelivery, listDeliveries } from '../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { aServiceContext, type TeamWithKey } from '../factories.ts'
import { endAtOnce } from '../generations/generationTransitions.ts'

/** Starts a generation with that callback. Returns its identifier. */
export async function aStartWithCallback(team: TeamWithKey, webhook: Callback, context: Context = team.context): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a grey square', webhook }
  return (await startGeneration(context, team.spender, { request })).generation.generationId
}

/** Ends a generation as failed. */
export async function failAtOnce(services: Services, id: string): Promise<void> {
  await endAtOnce(aServiceContext(services), id, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
}

/** The log of a team's callbacks, oldest event first. */
export function callbackLogOf(services: Services, { team }: Pick<TeamWithKey, 'team'>): Promise<ListedDelivery[]> {
  const filter = { subscriptionIds: [], callbacksOf: team.id }
  return listDeliveries(aServiceContext(services), filter, { limit: 1000, fromTheEnd: true })
}
