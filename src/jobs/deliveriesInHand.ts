import type { Log } from '../domain/context.ts'

/** What this process is about to send, sends, or has yet to write down: nobody here takes it a second time. */
export type DeliveriesInHand = {
  ids(): string[]
  take(deliveryId: string): void
  leave(deliveryId: string): void
  /** One that cannot be begun or written down is left alone for a while, so that it stops no other. */
  setAside(deliveryId: string, error: unknown): undefined
  close(): void
}

const setAsideMs = 60_000

export function deliveriesInHand(log: Log): DeliveriesInHand {
  const inHand = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    ids: () => [...inHand],
    take: (deliveryId) => void inHand.add(deliveryId),
    leave: (deliveryId) => void inHand.delete(deliveryId),
    setAside(deliveryId, error) {
      log.error({ deliveryId, error }, 'a delivery could not be begun or written down, and is set aside')
      const timer = setTimeout(() => {
        timers.delete(timer)
        inHand.delete(deliveryId)
      }, setAsideMs)
      timers.add(timer.unref())
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
