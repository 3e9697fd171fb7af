import { inTimeZone } from '../../ui/display/timeZone.ts'
import { type HealthBar, HealthBars } from './HealthBars.tsx'
import type { WebhookHealth } from './webhooksQuery.ts'

const figures = new Intl.NumberFormat()

/** The last 24 hours, one bar per hour. */
export function HealthSparkline({ health }: { health: WebhookHealth }) {
  const { delivered, failedAttempts } = health
  const label = `Last 24 hours: ${figures.format(delivered)} delivered, ${figures.format(failedAttempts)} failed attempts`
  return <HealthBars bars={barsOfHours(health)} label={label} />
}

export function barsOfHours({ hours }: WebhookHealth): HealthBar[] {
  return hours.map((hour) => ({ ...hour, key: hour.start, span: formatHour(hour.start) }))
}

function formatHour(start: string): string {
  const time = inTimeZone({ hour: '2-digit', minute: '2-digit' })
  const end = new Date(Date.parse(start) + 3_600_000)
  return `${new Date(start).toLocaleTimeString(undefined, time)} to ${end.toLocaleTimeString(undefined, time)}`
}
