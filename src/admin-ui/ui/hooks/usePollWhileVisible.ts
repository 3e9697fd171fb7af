import { useEffect, useEffectEvent } from 'react'

/**
 * Repeats `work` while the page is visible, `seconds` after it ended, and at once when the page becomes visible again. Without `seconds`
 * it does not poll.
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
