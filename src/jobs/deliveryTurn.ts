/** One time that a subscription is served, and what is heard meanwhile. */
export type DeliveryTurn = {
  /** Another job of the same subscription came: something is due, perhaps since the last look. */
  again(): void
  /** Whether `again` was called since the last time that this was asked. */
  takeAgain(): boolean
  /** An attempt failed. */
  failed(): void
  /** True when the place is to be left to others, or the subscription is now one for the other runner. */
  isOver(): boolean
  /** Ends a wait, the present one or the next. */
  wake(): void
  /** For so long at most; for ever when that is infinite. */
  wait(milliseconds: number): Promise<void>
}

export function makeDeliveryTurn(options: {
  troubled: boolean
  /** False when the lock is lost or the process stops. */
  mayGoOn(): boolean
  /** Others wait for the place. */
  isCrowded(): boolean
  turnMs: number
}): DeliveryTurn {
  const { troubled, mayGoOn, isCrowded, turnMs } = options
  const ends = performance.now() + turnMs
  let isAskedAgain = false
  let hasFailed = false
  let isWoken = false
  let endWait: () => void = () => undefined
  const wake = () => {
    isWoken = true
    endWait()
  }
  return {
    again() {
      isAskedAgain = true
      wake()
    },
    takeAgain() {
      const was = isAskedAgain
      isAskedAgain = false
      return was
    },
    failed() {
      hasFailed = true
    },
    isOver: () => !mayGoOn() || (hasFailed && !troubled) || (isCrowded() && performance.now() > ends),
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
