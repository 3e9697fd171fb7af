import { useContext } from 'react'
import { ViewerContext } from '../../api/viewer.ts'
import { useNow } from '../hooks/useNow.ts'
import { formatExactly, formatMoment } from './formatMoment.ts'

type MomentProps = {
  at: string | null | undefined
  /** Replaces a missing time. */
  otherwise?: string
  /** Shows the day and the time to the second instead of `5 min ago`. */
  exact?: boolean
}

/** An ISO 8601 time in the reader's time zone. On hover it is exact, and also in UTC. */
export function Moment({ at, otherwise = '–', exact = false }: MomentProps) {
  const now = useNow()
  // Renders again when the person chooses another time zone.
  useContext(ViewerContext)
  if (at === null || at === undefined) return <span>{otherwise}</span>
  const moment = new Date(at)
  const utc = `${moment
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`
  return (
    <time dateTime={at} title={`${formatExactly(moment)}\n${utc}`} style={{ whiteSpace: 'nowrap' }}>
      {exact ? formatExactly(moment) : formatMoment(moment.getTime(), now)}
    </time>
  )
}
