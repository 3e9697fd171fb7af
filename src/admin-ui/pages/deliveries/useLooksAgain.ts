import { useEffect, useEffectEvent } from 'react'

const everyMs = 2500

/** Looks every few seconds, one look after the other, while `on` and while the page is seen; at once when it is seen again. */
export function useLooksAgain(look: () => Promise<void>, on: boolean): void {
  const lookNow = useEffectEvent(look)
  useEffect(() => {
    if (!on) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const schedule = (ms: number) => {
      clearTimeout(timer)
      if (!isOver && !document.hidden) timer = setTimeout(() => void run(), ms)
    }
    const run = async () => {
      await lookNow()
      schedule(everyMs)
    }
    const seen = () => schedule(0)
    schedule(everyMs)
    document.addEventListener('visibilitychange', seen)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [on])
}
