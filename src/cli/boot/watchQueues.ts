import type { Services } from '../../domain/context.ts'
import { unservedQueues } from '../../domain/unservedQueues.ts'

const everyMs = 30_000

/** Logs when a queue has due work and no live process serves it, and when one serves it again. */
export function watchQueues(services: Pick<Services, 'pool' | 'log'>, pollIntervalMs = everyMs): { close(): void } {
  const { log } = services
  let logged = ''
  const check = async () => {
    const queues = await unservedQueues(services)
    const names = queues.join(', ')
    if (names === logged) return
    logged = names
    if (names === '') log.info({}, 'every queue with due work is served again')
    else log.warn({ queues }, 'no live process serves these queues, which have due work: see WORK_QUEUES')
  }
  const timer = setInterval(() => void check().catch(() => undefined), pollIntervalMs).unref()
  return { close: () => clearInterval(timer) }
}
