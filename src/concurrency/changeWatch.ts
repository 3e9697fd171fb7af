/** Why to look again: something has changed, or a notice of that may have been missed. */
export type ChangeNotice = 'changed' | 'unsure'

export type ChangeWatch = {
  /** The next reason to look; all that came since the last are one. `undefined` when the watch is over. */
  next(): Promise<ChangeNotice | undefined>
  stop(): void
}

export type WatchOptions = {
  /** The watch is over when it aborts. */
  signal: AbortSignal
  /** And after so long. */
  seconds: number
  /** Calls back with every reason to look; gives what ends that. */
  subscribe(notify: (why: ChangeNotice) => void): () => void
}

/** Watches something that changes again and again, for one reader who takes what has happened when there is time for it. */
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
