import type { Services } from '../../domain/context.ts'
import { unservedQueues } from '../../domain/unservedQueues.ts'

const everyMs = 30_000

/** Says in the log, once when it begins, that a queue has work that no living process takes, and when somebody does again. */
export function watchQueues(services: Pick<Services, 'pool' | 'log'>, pollIntervalMs = everyMs): { close(): void } {
  const { log } = services
  let told = ''
  const look = async () => {
    const queues = await unservedQueues(services)
    const words = queues.join(', ')
    if (words === told) return
    told = words
    if (words === '') log.info({}, 'every queue with work is taken by a process again')
    else log.warn({ queues }, 'no living process takes these queues, which have work due: see WORK_QUEUES')
  }
  const timer = setInterval(() => void look().catch(() => undefined), pollIntervalMs).unref()
  return { close: () => clearInterval(timer) }
}
