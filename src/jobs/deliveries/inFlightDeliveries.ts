import type { Log } from '../../domain/context.ts'

/** Deliveries that this process is about to send, sends, or has not recorded yet. No session takes them a second time. */
export type InFlightDeliveries = {
  ids(): string[]
  take(deliveryId: string): void
  remove(deliveryId: string): void
  /** Skips a delivery for a while that cannot be started or recorded, so that it does not block others. */
  quarantine(deliveryId: string, error: unknown): undefined
  close(): void
}

const quarantineMs = 60_000

export function makeInFlightDeliveries(log: Log): InFlightDeliveries {
  const inFlight = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    ids: () => [...inFlight],
    take: (deliveryId) => void inFlight.add(deliveryId),
    remove: (deliveryId) => void inFlight.delete(deliveryId),
    quarantine(deliveryId, error) {
      log.error({ deliveryId, error }, 'a delivery could not be started or recorded, and is skipped for a while')
      const timer = setTimeout(() => {
        timers.delete(timer)
        inFlight.delete(deliveryId)
      }, quarantineMs)
      timers.add(timer.unref())
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
