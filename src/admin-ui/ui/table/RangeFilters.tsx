import { type ComponentProps, useRef } from 'react'
import { startOfDay } from '../display/days.ts'
import { DayField, MomentField } from '../form/DateFields.tsx'
import { fieldSize } from './DeferredField.tsx'
import { PeriodSelect } from './PeriodSelect.tsx'
import { periodNames } from './periods.ts'
import classes from './RangeFilters.module.css'
import { type DayRange, lastSevenDays, type MomentRange, noDayRange, noMomentRange, shownDays, shownMoments } from './timeRange.ts'

type RangeProps<Range> = {
  range: Range
  /** From `useFrozenNow`. */
  now: number
  /** `changed`: only the fields that change. */
  onChange(changed: Partial<Range>): void
}

/** A period, or days of the reader. */
export function DayRangeFilter({ range, now, onChange }: RangeProps<DayRange>) {
  const first = useRef<HTMLInputElement>(null)
  const shown = shownDays(range, now)
  const { from, to } = shown
  const isCustom = from !== undefined || to !== undefined
  const change = (changed: Partial<DayRange>) => onChange(fieldsToChange(range, shown, changed))
  return (
    <>
      <PeriodSelect
        names={periodNames}
        value={range.period ?? (isCustom ? 'custom' : undefined)}
        firstField={first}
        onChange={(chosen) =>
          chosen === 'custom' ? change(isCustom ? {} : lastSevenDays(now)) : onChange({ ...noDayRange, period: chosen })
        }
      />
      <DayFilter label="From" day={from} ref={first} onChange={(day) => change({ from: day })} />
      <DayFilter
        label="To"
        day={to}
        error={from !== undefined && to !== undefined && from > to ? 'Choose a day on or after From.' : undefined}
        onChange={(day) => change({ to: day })}
      />
    </>
  )
}

/** A period, or moments in the reader's time zone. */
export function MomentRangeFilter({ range, now, onChange }: RangeProps<MomentRange>) {
  const first = useRef<HTMLInputElement>(null)
  const shown = shownMoments(range, now)
  const { since, until } = shown
  const isCustom = since !== undefined || until !== undefined
  const change = (changed: Partial<MomentRange>) => onChange(fieldsToChange(range, shown, changed))
  const begin = isCustom ? {} : { since: new Date(startOfDay(lastSevenDays(now).from)).toISOString() }
  const isReversed = since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)
  return (
    <>
      <PeriodSelect
        names={periodNames}
        value={range.period ?? (isCustom ? 'custom' : undefined)}
        firstField={first}
        onChange={(chosen) => (chosen === 'custom' ? change(begin) : onChange({ ...noMomentRange, period: chosen }))}
      />
      <div className={classes.pair}>
        <MomentFilter label="Since" moment={since} ref={first} onChange={(moment) => change({ since: moment })} />
        <MomentFilter
          label="Until"
          moment={until}
          error={isReversed ? 'Choose a time after Since.' : undefined}
          onChange={(moment) => change({ until: moment })}
        />
      </div>
    </>
  )
}

/**
 * A changed field replaces a period by the range that the fields show. Of a range only the changed field is returned: the other one may
 * change too before the page renders again.
 */
function fieldsToChange<Range extends { period: unknown }>(range: Range, shown: Partial<Range>, changed: Partial<Range>): Partial<Range> {
  return range.period === undefined ? changed : { ...shown, ...changed, period: undefined }
}

const dayWidth = 150

/** A day in a bar of filters. */
export function DayFilter({ day, ...field }: Omit<ComponentProps<typeof DayField>, 'value'> & { day: string | undefined }) {
  return <DayField {...field} value={day} {...fieldSize({ width: dayWidth })} styles={{ error: { maxWidth: dayWidth } }} />
}

function MomentFilter({ moment, ...field }: Omit<ComponentProps<typeof MomentField>, 'value'> & { moment: string | undefined }) {
  return <MomentField {...field} value={moment} {...fieldSize({ ownRow: true, width: 196 })} />
}
