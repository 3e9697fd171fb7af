import { useEffect, useRef, useState } from 'react'

/** Whether a table is wider than its box, which then scrolls sideways. */
export function useHorizontalOverflow() {
  const box = useRef<HTMLElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [isOverflowing, setOverflowing] = useState(false)
  useEffect(() => {
    const [outer, inner] = [box.current, table.current]
    if (!outer || !inner) return undefined
    // Fractions of a pixel are not scrolled.
    const observer = new ResizeObserver(() => setOverflowing(inner.offsetWidth > outer.clientWidth + 1))
    observer.observe(outer)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [])
  return { box, table, isOverflowing }
}
