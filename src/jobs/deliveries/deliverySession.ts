/** One time that a subscription is served, and what is heard meanwhile. */
export type DeliverySession = {
  /** Another job of the same subscription came: something is due, perhaps since the last look. */
  requestRerun(): void
  /** Whether `again` was called since the last time that this was asked. */
  consumeRerun(): boolean
  /** An attempt failed. */
  failed(): void
  /** True when the place is to be left to others, or the subscription is now one for the other runner. */
  shouldYield(): boolean
  /** Ends a wait, the present one or the next. */
  wake(): void
  /** For so long at most; for ever when that is infinite. */
  wait(milliseconds: number): Promise<void>
}

export function makeDeliverySession(options: {
  troubled: boolean
  /** False when the lock is lost or the process stops. */
  canContinue(): boolean
  /** Others wait for the place. */
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
