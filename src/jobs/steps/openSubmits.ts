/** The submits of this process whose loss would be `submit_unknown`: asked of providers that recognise no repeats, and not yet written. */
export type OpenSubmits = {
  readonly processId: string
  /** From right before the provider is asked; returns what ends it. */
  begin(generationId: string): () => void
  has(generationId: string): boolean
  count(): number
  /** Resolves when none is open, or when the signal aborts. */
  none(signal: AbortSignal): Promise<void>
}

export function openSubmits(processId: string): OpenSubmits {
  const open = new Map<string, number>()
  const waiting = new Set<() => void>()
  const change = (generationId: string, by: 1 | -1) => {
    const count = (open.get(generationId) ?? 0) + by
    if (count > 0) open.set(generationId, count)
    else open.delete(generationId)
    if (open.size === 0) for (const resolve of waiting) resolve()
  }
  return {
    processId,
    begin(generationId) {
      change(generationId, 1)
      return () => change(generationId, -1)
    },
    has: (generationId) => open.has(generationId),
    count: () => open.size,
    none: (signal) =>
      new Promise((resolve) => {
        if (open.size === 0 || signal.aborted) return resolve()
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
