import { Moment } from '../../ui/display/Moment.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'

const hourMs = 3_600_000

/** The start of an hour with `prefix` before it; `in the last hour` for an hour that is not over. */
export function HourText({ start, prefix }: { start: string; prefix?: string }) {
  const now = useNow()
  if (now - Date.parse(start) < hourMs) return prefix === undefined ? 'In the last hour' : 'in the last hour'
  return (
    <>
      {prefix} <Moment at={start} />
    </>
  )
}
