import { Refusal } from '../contract/refusals.ts'
import type { Context } from '../domain/context.ts'
import { type AttemptReport, recordAttempts } from '../domain/webhooks/recordAttempts.ts'

/** How attempts went, as long as it is not written down. */
export type AttemptReports = {
  add(report: AttemptReport): void
  count(): number
  /** Writes down what is there, as far as one statement takes it, and returns that. Rejects while the database cannot be reached. */
  writeDown(): Promise<AttemptReport[]>
  /** Lets go of all: their leases end, and the attempts are repeated. */
  forget(): void
}

export function attemptReports(context: Context, { atOnceMax }: { atOnceMax: number }): AttemptReports {
  let waiting: AttemptReport[] = []
  let atOnce = atOnceMax
  return {
    add: (report) => void waiting.push(report),
    count: () => waiting.length,
    forget: () => {
      waiting = []
    },
    async writeDown() {
      const written = waiting.slice(0, atOnce)
      if (written.length === 0) return []
      try {
        await recordAttempts(context, written)
        atOnce = atOnceMax
      } catch (error) {
        if (error instanceof Refusal) throw error
        // One that cannot be written must not hold up the others: from now on they go singly, and it alone is let go of.
        context.log.error({ error, deliveryId: written[0]?.deliveryId }, 'webhook attempts could not be written down')
        if (atOnce > 1) written.length = 0
        atOnce = 1
      }
      waiting = waiting.slice(written.length)
      return written
    },
  }
}
