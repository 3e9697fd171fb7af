import { inTimeZone } from '../../ui/display/timeZone.ts'
import type { WebhookHealth } from './webhooksQuery.ts'

const barWidth = 4
const gap = 1
const height = 24
const figures = new Intl.NumberFormat()

/** The last 24 hours, one bar per hour: deliveries, and above them failed attempts in red. */
export function HealthSparkline({ health: { hours, delivered, failedAttempts }, scale = 1 }: { health: WebhookHealth; scale?: number }) {
  const width = hours.length * (barWidth + gap) - gap
  const most = Math.max(1, ...hours.map((hour) => hour.delivered + hour.failedAttempts))
  // Small counts are still visible.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)))
  return (
    <svg
      role="img"
      aria-label={`Last 24 hours: ${figures.format(delivered)} delivered, ${figures.format(failedAttempts)} failed attempts`}
      viewBox={`0 0 ${width} ${height}`}
      width={width * scale}
      height={height * scale}
      style={{ display: 'block', flex: 'none', maxWidth: '100%' }}
    >
      {hours.map((hour, index) => {
        const failed = tall(hour.failedAttempts)
        const arrived = Math.min(tall(hour.delivered), height - failed)
        const bar = { x: index * (barWidth + gap), width: barWidth }
        return (
          <g key={hour.start}>
            <title>{`${formatHour(hour.start)}: ${figures.format(hour.delivered)} delivered, ${figures.format(hour.failedAttempts)} failed`}</title>
            <rect {...bar} y={0} height={height} fill="transparent" />
            <rect {...bar} y={height - 1} height={1} fill="var(--atelier-border)" />
            <rect {...bar} y={height - arrived} height={arrived} fill="light-dark(#2f9e44, #51cf66)" />
            <rect {...bar} y={height - arrived - failed} height={failed} fill="light-dark(#e03131, #ff6b6b)" />
          </g>
        )
      })}
    </svg>
  )
}

function formatHour(start: string): string {
  const time = inTimeZone({ hour: '2-digit', minute: '2-digit' })
  const end = new Date(Date.parse(start) + 3_600_000)
  return `${new Date(start).toLocaleTimeString(undefined, time)} to ${end.toLocaleTimeString(undefined, time)}`
}
