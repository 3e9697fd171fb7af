import type { Retention } from './settingsQueries.ts'

/** Days after which something goes; null: as long as everybody's. */
export type Days = Pick<Retention, 'mediaDays' | 'historyDays'>
/** As the fields hold them: a number, or text that is none, empty for null. */
export type DaysFields = Record<keyof Days, number | string>
export type DaysErrors = Partial<Record<keyof Days, string>>

const daysMax = 3650

/** What the fields say, or what is wrong with them. */
export function readDays(fields: DaysFields): { days: Days; errors: DaysErrors } {
  const days = { mediaDays: daysOf(fields.mediaDays), historyDays: daysOf(fields.historyDays) }
  const errors: DaysErrors = {}
  for (const name of ['mediaDays', 'historyDays'] as const) {
    const value = days[name]
    if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= daysMax))
      errors[name] = `Takes whole days from 1 to ${daysMax}.`
  }
  if (days.mediaDays !== null && days.historyDays !== null && days.mediaDays > days.historyDays)
    errors.mediaDays ??= `Media go with their generation at the latest, after ${formatDays(days.historyDays)}.`
  return { days, errors }
}

/** What a change makes go that would have stayed, in words; nothing when it only keeps longer. */
export function describeLosses(before: Days, after: Days): string[] {
  const words: string[] = []
  if (isShorter(before.mediaDays, after.mediaDays))
    words.push(`Results of work that ended more than ${formatDays(after.mediaDays)} ago are deleted, and every link to them dies.`)
  if (isShorter(before.historyDays, after.historyDays))
    words.push(
      `Generations that ended more than ${formatDays(after.historyDays)} ago are forgotten, with their prompts, results and deliveries.`,
    )
  return words
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
