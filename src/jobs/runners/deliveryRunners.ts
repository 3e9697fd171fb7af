import type { Tasks } from '../../domain/queue.ts'
import type { Deliverer } from '../deliveries/deliverWebhooks.ts'
import type { RunnerOptions } from './startRunner.ts'

/** The runners of the queue `deliveries`. Failing receivers are often slow, so they have a runner of their own. */
export function deliveryRunners(deliverer: Deliverer): RunnerOptions[] {
  const runner = (name: string, task: 'deliverWebhooks' | 'deliverToTroubled', troubled: boolean): RunnerOptions => ({
    name,
    jobsAtOnce: deliverer.jobsAtOnce,
    prefetches: true,
    pollMs: 1000,
    tasks: { [task]: ({ subscriptionId }: Tasks[typeof task]) => deliverer.deliver(subscriptionId, { troubled }) },
  })
  return [runner('deliveries', 'deliverWebhooks', false), runner('troubled deliveries', 'deliverToTroubled', true)]
}
