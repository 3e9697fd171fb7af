import type { UsageDay, UsageGroup, UsagePart } from './usageQueries.ts'
import { type DaySpan, daysOf } from './usageSpan.ts'

/** Counts of ended generations, and their cost. */
export type Figures = Pick<UsageDay, 'generations' | 'ready' | 'failed' | 'cancelled' | 'creditsCharged'>

const none: Figures = { generations: 0, ready: 0, failed: 0, cancelled: 0, creditsCharged: 0 }

/** A row of the table of keys or families. */
export type GroupLine = Figures & {
  id: string
  name: string
  /** The key prefix. */
  prefix?: string
  /** The filter of the History page for this row. */
  history?: { key: string } | { family: string }
}

/** A series of the chart. `isRest`: all keys or families without a series of their own. */
export type Series = { id: string; name: string; isRest: boolean }

/** A day of the chart and of its table: credits by series. */
export type DayOfSeries = { day: string; values: number[]; total: number }

/** All days of the period, in order. */
export function fullDays<Day extends Figures & { day: string | null }>(days: readonly Day[], span: DaySpan) {
  const known = new Map(days.map((day) => [day.day, day]))
  return daysOf(span).map((day): Figures & Partial<Day> & { day: string } => {
    const found: Partial<Day> = known.get(day) ?? {}
    return { ...none, ...found, day }
  })
}

/** Adjacent days that are empty, as one row. `until`: the last of them. */
export type DaysRow<Day> = Day & { until?: string }

export function joinEmptyDays<Day extends { day: string }>(days: readonly Day[], isEmpty: (day: Day) => boolean): DaysRow<Day>[] {
  const rows: DaysRow<Day>[] = []
  for (const day of days) {
    const last = rows.at(-1)
    if (last && isEmpty(last) && isEmpty(day)) rows[rows.length - 1] = { ...last, until: day.day }
    else rows.push(day)
  }
  return rows
}

export function totalOf(lines: readonly Figures[]): Figures {
  return lines.reduce<Figures>(
    (sum, line) => ({
      generations: sum.generations + line.generations,
      ready: sum.ready + line.ready,
      failed: sum.failed + line.failed,
      cancelled: sum.cancelled + line.cancelled,
      creditsCharged: exact(sum.creditsCharged + line.creditsCharged),
    }),
    none,
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** The number of ready generations, divided by the number of ready and failed ones. */
export function successRate({ ready, failed }: Figures): string {
  return ready + failed === 0 ? '–' : percent.format(ready / (ready + failed))
}

/** The keys or families by name, with one more row for all others. */
export function groupLines(groups: readonly UsageGroup[], total: Figures): GroupLine[] {
  const lines = groups.map(lineOf)
  const listedTotal = totalOf(lines)
  const rest: GroupLine = {
    id: 'rest',
    name: 'All others',
    generations: Math.max(0, total.generations - listedTotal.generations),
    ready: Math.max(0, total.ready - listedTotal.ready),
    failed: Math.max(0, total.failed - listedTotal.failed),
    cancelled: Math.max(0, total.cancelled - listedTotal.cancelled),
    creditsCharged: Math.max(0, exact(total.creditsCharged - listedTotal.creditsCharged)),
  }
  return rest.generations > 0 ? [...lines, rest] : lines
}

export function lineOf({ key, familyId, ...figures }: UsageGroup): GroupLine {
  if (familyId !== null) return { ...figures, id: familyId, name: familyId, history: { family: familyId } }
  if (key === null) return { ...figures, id: 'none', name: noKey }
  return { ...figures, id: key.id, name: key.name, prefix: key.prefix, history: { key: key.id } }
}

/** Work that internal tools started. */
const noKey = 'Without a key'

/** The credits by day and series, most expensive series first, the rest last. */
export function seriesOf(parts: readonly UsagePart[], span: DaySpan): { series: Series[]; days: DayOfSeries[] } {
  const costs = new Map<string, Series & { cost: number }>()
  for (const part of parts) {
    const id = idOf(part)
    const known = costs.get(id) ?? { id, name: nameOf(part), isRest: part.isRest, cost: 0 }
    costs.set(id, { ...known, cost: known.cost + part.creditsCharged })
  }
  const series = [...costs.values()].toSorted((one, other) => Number(one.isRest) - Number(other.isRest) || other.cost - one.cost)
  const places = new Map(series.map(({ id }, place) => [id, place]))
  const days = new Map(daysOf(span).map((day) => [day, { day, values: series.map(() => 0), total: 0 }]))
  for (const part of parts) {
    const day = days.get(part.day)
    if (!day) continue
    day.values[places.get(idOf(part)) ?? 0] = part.creditsCharged
    day.total = exact(day.total + part.creditsCharged)
  }
  return { series, days: [...days.values()] }
}

/** The days as one series. */
export function singleSeries(name: string, days: readonly (Figures & { day: string })[]): { series: Series[]; days: DayOfSeries[] } {
  return {
    series: [{ id: 'all', name, isRest: false }],
    days: days.map(({ day, creditsCharged }) => ({ day, values: [creditsCharged], total: creditsCharged })),
  }
}

function idOf({ key, familyId, isRest }: UsagePart): string {
  return isRest ? 'rest' : (key?.id ?? familyId ?? 'none')
}

function nameOf({ key, familyId, isRest }: UsagePart): string {
  return isRest ? 'All others' : (key?.name ?? familyId ?? noKey)
}

/** Rounds sums to two decimals, like credits. */
function exact(credits: number): number {
  return Math.round(credits * 100) / 100
}
