import type { Log } from '../../domain/context.ts'

/** What this process is about to send, sends, or has yet to write down: nobody here takes it a second time. */
export type InFlightDeliveries = {
  ids(): string[]
  take(deliveryId: string): void
  remove(deliveryId: string): void
  /** One that cannot be begun or written down is left alone for a while, so that it stops no other. */
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
      log.error({ deliveryId, error }, 'a delivery could not be begun or written down, and is set aside')
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
