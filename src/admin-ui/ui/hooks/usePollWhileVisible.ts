import { useEffect, useEffectEvent } from 'react'

/**
 * Does something again and again, `seconds` after it was done the last time, as long as the page can be seen; at once when it can be seen
 * again. Without `seconds` it rests until then.
 */
export function usePollWhileVisible(seconds: number | undefined, work: () => Promise<void>): void {
  const run = useEffectEvent(work)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const wait = () => {
      clearTimeout(timer)
      if (seconds !== undefined && !isOver && !document.hidden) timer = setTimeout(() => void runOnce(), seconds * 1000)
    }
    const runOnce = async () => {
      await run()
      wait()
    }
    const seen = () => {
      if (document.hidden) clearTimeout(timer)
      else void runOnce()
    }
    document.addEventListener('visibilitychange', seen)
    wait()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [seconds])
}
