import { Box, Group, Stack, Text } from '@mantine/core'
import { formatDay } from '../../ui/display/days.ts'
import { LegendEntry } from '../../ui/display/LegendEntry.tsx'
import { formatterInTimeZone } from '../../ui/display/timeZone.ts'
import { formatSuccessRate } from './formatSuccessRate.ts'
import { deliveredColor, failedColor, type HealthBar, HealthBars } from './HealthBars.tsx'
import { barsOfHours } from './HealthSparkline.tsx'
import type { WebhookWithLog } from './webhooksQuery.ts'

const figures = new Intl.NumberFormat()

/** The deliveries and failed attempts of a webhook, by hour and by day, and its open deliveries. */
export function WebhookHealth({ health, healthByDay }: Pick<WebhookWithLog, 'health' | 'healthByDay'>) {
  const { successRate, waiting, retrying, hours } = health
  const isQuiet = healthByDay.every((day) => day.delivered + day.failedAttempts === 0)
  return (
    <Stack gap="md">
      {successRate === null ? (
        <Text c="dimmed">No delivery was attempted in the last {isQuiet ? '30 days' : '24 hours'}.</Text>
      ) : (
        <HealthChart
          title="Last 24 hours, by hour"
          bars={barsOfHours(health)}
          ends={[formatterInTimeZone({ hour: '2-digit', minute: '2-digit' }).format(new Date(hours[0]?.start ?? 0)), 'now']}
          note={`Success rate: ${formatSuccessRate(successRate)}.`}
        />
      )}
      {(retrying > 0 || waiting > 0) && (
        <Text c="dimmed">
          Open deliveries: {figures.format(retrying)} retrying, {figures.format(waiting)} waiting.
        </Text>
      )}
      {!isQuiet && (
        <HealthChart
          title="Last 30 days, by day in UTC"
          bars={healthByDay.map((day) => ({ ...day, key: day.day, span: `${formatDay(day.day, { year: true })} (UTC)` }))}
          ends={[formatDay(healthByDay[0]?.day ?? ''), 'today']}
        />
      )}
    </Stack>
  )
}

type HealthChartProps = {
  title: string
  bars: readonly HealthBar[]
  /** The labels below the first and the last bar. */
  ends: [first: string, last: string]
  note?: string
}

function HealthChart({ title, bars, ends, note = '' }: HealthChartProps) {
  const [delivered = 0, failed = 0] = (['delivered', 'failedAttempts'] as const).map((name) =>
    bars.reduce((sum, bar) => sum + bar[name], 0),
  )
  const highest = Math.max(...bars.map((bar) => bar.delivered + bar.failedAttempts))
  return (
    <Box maw={720}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          Highest bar: {figures.format(highest)}
        </Text>
      </Group>
      <HealthBars
        bars={bars}
        label={`${title}: ${figures.format(delivered)} delivered, ${figures.format(failed)} failed attempts`}
        height={72}
        fills
      />
      <Group justify="space-between" c="dimmed" fz="xs" mt={4}>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </Group>
      <Group gap="sm" mt={4} c="dimmed" fz="sm">
        <LegendEntry color={deliveredColor}>{figures.format(delivered)} delivered</LegendEntry>
        <LegendEntry color={failedColor}>
          {figures.format(failed)} failed {failed === 1 ? 'attempt' : 'attempts'}
        </LegendEntry>
        {note !== '' && <span>{note}</span>}
      </Group>
    </Box>
  )
}
