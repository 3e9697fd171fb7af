import { Moment } from '../../ui/display/Moment.tsx'
import { formatterInTimeZone } from '../../ui/display/timeZone.ts'
import { useNow } from '../../ui/hooks/useNow.ts'

const hourMs = 3_600_000

type HourTextProps = {
  /** The start of the hour. */
  start: string
  prefix?: 'since' | 'since before'
}

/** The hour in which something happened, as counters have no finer time: `today, 03:00–04:00`. `in the last hour` while it is not over. */
export function HourText({ start, prefix }: HourTextProps) {
  const now = useNow()
  if (now - Date.parse(start) < hourMs) return prefix === undefined ? 'In the last hour' : 'in the last hour'
  const end = formatterInTimeZone({ hour: '2-digit', minute: '2-digit' }).format(new Date(Date.parse(start) + hourMs))
  return (
    <>
      {prefix} <Moment at={start} />
      {prefix !== 'since before' && `–${end}`}
    </>
  )
}
