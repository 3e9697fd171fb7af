import { useEffect, useRef } from 'react'

const busyMs = 5000

/** Detects whether the reader is active in an element: pointer or keys were used within the last 5 seconds, or it is scrolled down. */
export function useReaderActivity<Element extends HTMLElement>() {
  const area = useRef<Element>(null)
  const lastMove = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const moved = () => {
      lastMove.current = performance.now()
    }
    const events = ['pointermove', 'wheel', 'touchmove', 'keydown'] as const
    for (const event of events) element.addEventListener(event, moved, { passive: true })
    return () => {
      for (const event of events) element.removeEventListener(event, moved)
    }
  }, [])
  const isBusy = () => {
    const scrolled = [...(area.current?.querySelectorAll('section') ?? [])].some(({ scrollTop }) => scrollTop > 0)
    return scrolled || performance.now() - lastMove.current < busyMs
  }
  return { area, isBusy }
}
