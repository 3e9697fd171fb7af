import { useSyncExternalStore } from 'react'

const everyMs = 15_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time in milliseconds, updated every 15 seconds by one shared timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
