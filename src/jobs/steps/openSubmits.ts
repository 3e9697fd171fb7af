/** Submits of this process to providers that cannot recognise a repeat. Losing such an answer fails the work with `submit_unknown`. */
export type OpenSubmits = {
  readonly processId: string
  /** Counts a submit, from before the provider is called until the result is disposed of, after its answer is recorded. */
  open(generationId: string): Disposable
  has(generationId: string): boolean
  count(): number
  /** Resolves when no submit is open, or when the signal aborts. */
  none(signal: AbortSignal): Promise<void>
}

export function openSubmits(processId: string): OpenSubmits {
  const countById = new Map<string, number>()
  const waiting = new Set<() => void>()
  const change = (generationId: string, by: 1 | -1) => {
    const count = (countById.get(generationId) ?? 0) + by
    if (count > 0) countById.set(generationId, count)
    else countById.delete(generationId)
    if (countById.size === 0) for (const resolve of waiting) resolve()
  }
  return {
    processId,
    open(generationId) {
      let isOpen = true
      change(generationId, 1)
      return {
        [Symbol.dispose]() {
          if (isOpen) change(generationId, -1)
          isOpen = false
        },
      }
    },
    has: (generationId) => countById.has(generationId),
    count: () => countById.size,
    none: (signal) =>
      new Promise((resolve) => {
        if (countById.size === 0 || signal.aborted) return resolve()
        const done = () => {
          waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal.addEventListener('abort', done)
      }),
  }
}
