import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatCountdown } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import type { FullDelivery } from './deliveriesQuery.ts'

/** The countdown to the next attempt, if there is one. */
export function NextAttempt({ delivery: { state, nextAttemptAt, subscription } }: { delivery: FullDelivery }) {
  if (nextAttemptAt === null) return null
  if (subscription.paused) return <Text>The webhook is paused. The delivery waits until it is resumed.</Text>
  return (
    <Text>
      {state === 'PENDING' ? 'It is sent ' : 'The next attempt is '}
      <Countdown to={nextAttemptAt} /> (<Moment at={nextAttemptAt} />
      ).
    </Text>
  )
}

function Countdown({ to }: { to: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="tabular">{formatCountdown((Date.parse(to) - now) / 1000)}</span>
}
