/** `changed`: a change was notified. `unsure`: a notification may have been missed. */
export type ChangeNotice = 'changed' | 'unsure'

export type ChangeWatch = {
  /** The next notice; notices since the last call are merged. Undefined when the watch has ended. */
  next(): Promise<ChangeNotice | undefined>
  stop(): void
}

export type WatchOptions = {
  /** Ends the watch. */
  signal: AbortSignal
  /** The watch ends after this time. */
  seconds: number
  /** Calls `notify` with every notice. Returns the unsubscribe function. */
  subscribe(notify: (why: ChangeNotice) => void): () => void
}

/** Watches repeated changes for one reader, which takes merged notices at its own pace. */
export function watchChanges({ signal, seconds, subscribe }: WatchOptions): ChangeWatch {
  let pending: ChangeNotice | undefined
  let isOver = signal.aborted
  let wake: () => void = () => undefined
  const end = () => {
    isOver = true
    wake()
  }
  const unsubscribe = subscribe((why) => {
    if (pending !== 'changed') pending = why
    wake()
  })
  const timer = setTimeout(end, seconds * 1000).unref()
  signal.addEventListener('abort', end, { once: true })
  return {
    async next() {
      while (pending === undefined && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const why = isOver ? undefined : pending
      pending = undefined
      return why
    },
    stop() {
      unsubscribe()
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
