import { useContext } from 'react'
import { ViewerContext } from '../../api/viewer.ts'
import { useNow } from '../hooks/useNow.ts'
import { formatMoment } from './formatMoment.ts'

/** An ISO 8601 time in the reader's time zone, with UTC on hover. `otherwise` replaces a missing time. */
export function Moment({ at, otherwise = '–' }: { at: string | null | undefined; otherwise?: string }) {
  const now = useNow()
  // Renders again when the person chooses another time zone.
  useContext(ViewerContext)
  if (at === null || at === undefined) return <span>{otherwise}</span>
  const moment = new Date(at)
  return (
    <time
      dateTime={at}
      title={`${moment
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, '')} UTC`}
      style={{ whiteSpace: 'nowrap' }}
    >
      {formatMoment(moment.getTime(), now)}
    </time>
  )
}
