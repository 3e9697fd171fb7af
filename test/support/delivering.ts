import type { Context } from '../../src/domain/context.ts'
import { type AttemptOptions, attemptDelivery } from '../../src/domain/webhooks/attemptDelivery.ts'
import { leaseDeliveries } from '../../src/domain/webhooks/leaseDeliveries.ts'
import { recordAttempts } from '../../src/domain/webhooks/recordAttempts.ts'
import { keptConnections } from '../../src/network/keptConnections.ts'

/** Attempts everything that is due once, one after the other, and writes down how it went. Returns how many there were. */
export async function attemptAllDue(context: Context, options: Partial<AttemptOptions> = {}): Promise<number> {
  const connections = keptConnections({ max: 0, idleMilliseconds: 0 })
  const leased = await leaseDeliveries(context, { holder: 'test', deliveriesMax: 100, troubledMax: 100 })
  const signal = new AbortController().signal
  for (const each of leased) await recordAttempts(context, [await attemptDelivery(context, each, { signal, connections, ...options })])
  return leased.length
}
