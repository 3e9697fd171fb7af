import type { Context } from '../../../src/domain/context.ts'
import { type AttemptOptions, attemptDelivery } from '../../../src/domain/webhooks/sending/attemptDelivery.ts'
import { beginAttempts } from '../../../src/domain/webhooks/sending/beginAttempts.ts'
import { dueDeliveries } from '../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { endAttempts } from '../../../src/domain/webhooks/sending/endAttempts.ts'
import { makeConnectionPool } from '../../../src/network/connectionPool.ts'

/** Attempts all due deliveries once, sequentially, and records the outcomes. Returns their number. */
export async function attemptAllDue(context: Context, options: Partial<AttemptOptions> = {}): Promise<number> {
  const connections = makeConnectionPool({ max: 0, idleMilliseconds: 0 })
  const signal = new AbortController().signal
  const { rows } = await context.pool.query<{ id: string }>('select id from webhook_subscriptions order by id')
  const dueBatches = await dueDeliveries(
    context,
    rows.map(({ id }) => id),
    [],
  )
  const attempts = (
    await beginAttempts(
      context,
      dueBatches.flatMap(({ due }) => due),
    )
  ).filter((attempt) => attempt !== undefined)
  for (const attempt of attempts) await endAttempts(context, [await attemptDelivery(context, attempt, { signal, connections, ...options })])
  return attempts.length
}
