import { useEffect, useState } from 'react'
import { formatCountdown } from './formatDuration.ts'

/** The time until a moment, each second: `in 2 min 40 s`. */
export function Countdown({ to }: { to: string | number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="tabular">{formatCountdown((new Date(to).getTime() - now) / 1000)}</span>
}
