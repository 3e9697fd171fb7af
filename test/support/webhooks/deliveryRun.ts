import { expect, onTestFinished } from 'vitest'
import { type Services, transaction } from '../../../src/domain/context.ts'
import { addDeliveries } from '../../../src/domain/webhooks/deliveries/addDeliveries.ts'
import { listDeliveries } from '../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../factories.ts'
import type { Receiver } from './receiver.ts'
import { aDeliverer, aSubscription } from './webhooks.ts'

/** Timeout and interval of waits for deliveries. */
export const soon = { timeout: 10_000, interval: 5 }

/** Shared steps of delivery tests, on these services. */
export function deliveryRun(services: Services) {
  const context = () => aServiceContext(services)
  const logOf = (subscriptionId: string) =>
    listDeliveries(context(), { subscriptionIds: [subscriptionId] }, { limit: 1000, fromTheEnd: true })
  return {
    logOf,

    /** Delivers until the end of the test; its receivers are closed first. */
    async delivering() {
      const deliverer = await aDeliverer(services)
      onTestFinished(() => deliverer.stop())
      return deliverer
    },

    async subscribe(receiver: Pick<Receiver, 'address'>, team?: TeamWithKey) {
      const owner = team ?? (await aTeamWithKey(services))
      return { team: owner, ...(await aSubscription(services, owner, receiver.address)) }
    },

    settled: (id: string) => async () => {
      for (const { state } of await logOf(id)) expect(state).toMatch(/delivered|failed/)
    },

    /** Records many events for one subscription at once, like endings do one by one. */
    async recordMany(subscriptionId: string, count: number): Promise<void> {
      await transaction(context(), async (inside) => {
        const content = {
          event: 'generation.failed',
          createdAt: services.clock.now(),
          dataFor: () => ({}),
          isTest: false,
        } as const
        const numbered = Array.from({ length: count }, (_, index) => ({ subscriptionId, eventNumber: index + 1 }))
        await addDeliveries(inside, numbered, content)
        await services.pool.query('update webhook_subscriptions set last_event_number = $2 where id = $1', [subscriptionId, count])
      })
    },
  }
}
