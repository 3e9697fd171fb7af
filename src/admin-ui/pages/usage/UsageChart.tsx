import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { formatDay } from '../../ui/display/days.ts'
import { LegendEntry } from '../../ui/display/LegendEntry.tsx'
import { roundTicks } from './roundTicks.ts'
import classes from './UsageChart.module.css'
import type { DayOfSeries, Series } from './usageFigures.ts'

const compactNumber = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

type UsageChartProps = {
  label: string
  /** In pixels, without the legend. */
  height: number
  series: readonly Series[]
  days: readonly DayOfSeries[]
}

/** The cost by day, stacked by series. Screen readers get only `label`, because a table below the chart has the same numbers. */
export function UsageChart({ label, height, series, days }: UsageChartProps) {
  // Not the ids of the series: the chart reads its keys as paths.
  const rows = days.map(({ day, values }) => ({ day, ...Object.fromEntries(values.map((value, index) => [`s${index}`, value])) }))
  const isSplit = series.length > 1
  const ticks = roundTicks(Math.max(...days.map(({ total }) => total), 0))
  return (
    <div role="img" aria-label={label} className={classes.chart}>
      <BarChart
        h={height}
        data={rows}
        dataKey="day"
        type="stacked"
        series={series.map(({ name, isRest }, index) => ({ name: `s${index}`, label: name, color: colorOf(index, isRest) }))}
        valueFormatter={formatCredits}
        tickLine="none"
        gridAxis="x"
        gridColor="var(--atelier-border)"
        strokeDasharray="0"
        maxBarWidth={28}
        barProps={{ isAnimationActive: false, stroke: 'var(--atelier-surface)', strokeWidth: isSplit ? 1 : 0 }}
        barChartProps={{ accessibilityLayer: false, margin: { left: 0, right: 4, top: 8, bottom: 0 } }}
        xAxisProps={{ tickFormatter: (day: string) => formatDay(day), interval: 'equidistantPreserveStart', minTickGap: 16 }}
        yAxisProps={{ width: 48, tickFormatter: (value: number) => compactNumber.format(value), ticks, domain: [0, ticks.at(-1) ?? 0] }}
        tooltipAnimationDuration={0}
        tooltipProps={{
          isAnimationActive: false,
          labelFormatter: (day) => (typeof day === 'string' ? formatDay(day, { year: true }) : null),
        }}
      />
      <ul className={classes.legend}>
        {series.map(({ id, name, isRest }, index) => (
          <li key={id}>
            <LegendEntry color={colorOf(index, isRest)}>{name}</LegendEntry>
          </li>
        ))}
      </ul>
    </div>
  )
}

function colorOf(index: number, isRest: boolean): string {
  return isRest ? 'var(--atelier-series-rest)' : `var(--atelier-series-${(index % 5) + 1})`
}
