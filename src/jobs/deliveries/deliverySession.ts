/** One session of serving a subscription, and the events that arrive meanwhile. */
export type DeliverySession = {
  /** Another job of the same subscription came: deliveries may have become due since the last fetch. */
  requestRerun(): void
  /** Whether `requestRerun` was called since the last call of this. */
  consumeRerun(): boolean
  /** An attempt failed. */
  failed(): void
  /** True when the session must end for waiting subscriptions, or when the subscription now belongs to the other runner. */
  shouldYield(): boolean
  /** Ends the current wait, or the next one. */
  wake(): void
  /** Waits until `wake`, at most this long; infinity is allowed. */
  wait(milliseconds: number): Promise<void>
}

export function makeDeliverySession(options: {
  troubled: boolean
  /** False when the lock is lost or the process stops. */
  canContinue(): boolean
  /** Other subscriptions wait for a slot. */
  isContended(): boolean
  sessionMs: number
}): DeliverySession {
  const { troubled, canContinue, isContended, sessionMs } = options
  const ends = performance.now() + sessionMs
  let isRerunRequested = false
  let hasFailed = false
  let isWoken = false
  let endWait: () => void = () => undefined
  const wake = () => {
    isWoken = true
    endWait()
  }
  return {
    requestRerun() {
      isRerunRequested = true
      wake()
    },
    consumeRerun() {
      const was = isRerunRequested
      isRerunRequested = false
      return was
    },
    failed() {
      hasFailed = true
    },
    shouldYield: () => !canContinue() || (hasFailed && !troubled) || (isContended() && performance.now() > ends),
    wake,
    async wait(milliseconds) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      endWait = () => undefined
      isWoken = false
    },
  }
}
