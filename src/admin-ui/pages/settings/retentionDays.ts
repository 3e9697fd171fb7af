import type { Retention } from './settingsQueries.ts'

/** Days until deletion; null: the default of the service. */
export type Days = Pick<Retention, 'mediaDays' | 'historyDays'>
/** The field values: a number, or text that is not a number; empty for null. */
export type DaysFields = Record<keyof Days, number | string>
export type DaysErrors = Partial<Record<keyof Days, string>>

const daysMax = 3650

/** Parses the fields, or returns their errors. */
export function readDays(fields: DaysFields): { days: Days; errors: DaysErrors } {
  const days = { mediaDays: daysOf(fields.mediaDays), historyDays: daysOf(fields.historyDays) }
  const errors: DaysErrors = {}
  for (const name of ['mediaDays', 'historyDays'] as const) {
    const value = days[name]
    if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= daysMax))
      errors[name] = `Enter whole days from 1 to ${daysMax}.`
  }
  if (days.mediaDays !== null && days.historyDays !== null && days.mediaDays > days.historyDays)
    errors.mediaDays ??= `Media are deleted with their generation, after ${formatDays(days.historyDays)} at the latest.`
  return { days, errors }
}

/** Describes what a shorter retention deletes; empty when nothing is deleted earlier. */
export function describeLosses(before: Days, after: Days): string[] {
  const losses: string[] = []
  if (isShorter(before.mediaDays, after.mediaDays))
    losses.push(`Results of work that ended more than ${formatDays(after.mediaDays)} ago are deleted, and all links to them stop working.`)
  if (isShorter(before.historyDays, after.historyDays))
    losses.push(
      `Generations that ended more than ${formatDays(after.historyDays)} ago are deleted, with their prompts, results and deliveries.`,
    )
  return losses
}

export function formatDays(days: number | null): string {
  return days === 1 ? '1 day' : `${days ?? 0} days`
}

function daysOf(field: number | string): number | null {
  return field === '' ? null : Number(field)
}

function isShorter(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before)
}
