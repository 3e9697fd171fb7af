import { inTimeZone, momentOfWallClock } from './timeZone.ts'

const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const
const timeParts = { hour: '2-digit', minute: '2-digit' } as const
/** Digits and calendar that {@link parseDay} reads, in every language. */
const plain = { numberingSystem: 'latn', calendar: 'gregory' } as const

/** Formats a day for a field, in the order and language of the page: `29 Nov 2026`. `day`: `2026-11-29`. */
export function dayText(day: string, locale?: string): string {
  return new Date(day).toLocaleDateString(locale, { ...dayParts, ...plain, timeZone: 'UTC' })
}

/** Formats a moment for a field, in the reader's time zone: `29 Nov 2026, 09:30`. */
export function momentText(at: string, locale?: string): string {
  return new Date(at).toLocaleString(locale, inTimeZone({ ...dayParts, ...timeParts, ...plain }))
}

/** Parses a day with a four-digit year, in the order of the locale or as in ISO 8601. Returns `2026-11-29`; undefined for other text. */
export function parseDay(text: string, locale?: string): string | undefined {
  const words = wordsOf(locale)
  const tokens = tokensOf(text)
  if (tokens.some((token) => !/^\d/.test(token) && !words.months.has(token) && !words.others.has(token))) return undefined
  const month = tokens.map((token) => words.months.get(token)).find((found) => found !== undefined)
  const numbers = tokens.filter((token) => /^\d/.test(token))
  const order = (numbers[0]?.length === 4 ? (['year', 'month', 'day'] as const) : words.order).filter(
    (part) => part !== 'month' || month === undefined,
  )
  if (numbers.length !== order.length) return undefined
  const given = new Map(order.map((part, index) => [part, numbers[index] ?? '']))
  // After a month in words, either number may be the year.
  const [day = '', year = ''] = [given.get('day'), given.get('year')].toSorted((one = '', other = '') => one.length - other.length)
  return dayOfParts({ year, month: String(month ?? given.get('month')), day })
}

/** Parses a moment in the reader's time zone; without a time, the start of the day. Returns ISO 8601 in UTC; undefined for other text. */
export function parseMoment(text: string, locale?: string): string | undefined {
  const iso = text.replace(/^(\d{4}-\d{2}-\d{2})t(?=\d{2}:\d{2})/i, '$1 ')
  const [time, hourText = '0', minuteText = '0'] = /(?<![\d.])(\d{1,2})(?:[:.]|\s?h\s?)(\d{2})(?!\d|\.\d)/.exec(iso) ?? []
  const { dayPeriods } = wordsOf(locale)
  const rest = (time === undefined ? iso : iso.replace(time, ' ')).toLowerCase()
  const period = dayPeriods.find(({ word }) => word.test(rest))
  const day = parseDay(period ? rest.replace(period.word, ' ') : rest, locale)
  const hour = period ? (Number(hourText) % 12) + period.hours : Number(hourText)
  if (day === undefined || hour > 23 || Number(minuteText) > 59) return undefined
  const moment = momentOfWallClock(`${day}T${String(hour).padStart(2, '0')}:${minuteText.padStart(2, '0')}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

function dayOfParts({ year, month, day }: { year: string; month: string; day: string }): string | undefined {
  if (year.length !== 4 || day.length > 2 || month.length > 2) return undefined
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ? text : undefined
}

type DatePart = 'year' | 'month' | 'day'

type Words = {
  order: readonly DatePart[]
  /** The names of months, 1 to 12. */
  months: ReadonlyMap<string, number>
  /** Words between the parts, such as `de`. */
  others: ReadonlySet<string>
  /** Words like `PM`, with the hours that they add. */
  dayPeriods: readonly { word: RegExp; hours: number }[]
}

const known = new Map<string, Words>()

function wordsOf(locale: string | undefined): Words {
  const name = locale ?? ''
  const words = known.get(name) ?? readWords(locale)
  known.set(name, words)
  return words
}

/** Numbers and words, without the dots and apostrophes of abbreviations. */
function tokensOf(text: string): string[] {
  const found = text.toLowerCase().match(/\d+|[\p{L}\p{M}][\p{L}\p{M}.'’׳]*/gu) ?? []
  return found.map((token) => token.replaceAll(/[.'’׳]/g, ''))
}

function readWords(locale: string | undefined): Words {
  const months = new Map<string, number>()
  const others = new Set<string>()
  for (const language of ['en', locale]) {
    for (const style of ['short', 'long'] as const) {
      const formatter = new Intl.DateTimeFormat(language, { ...dayParts, ...timeParts, ...plain, month: style, timeZone: 'UTC' })
      for (let month = 0; month < 12; month += 1) {
        const parts = formatter.formatToParts(Date.UTC(2026, month, 28)).filter(({ type }) => type !== 'dayPeriod')
        const names = parts.flatMap(({ type, value }) => (type === 'month' && !/\d/.test(value) ? tokensOf(value) : []))
        // A preposition may be written together with the name, as in Hebrew.
        for (const word of tokensOf(parts.map(({ value }) => value).join(''))) {
          if (names.some((name) => word.endsWith(name))) months.set(word, month + 1)
          else others.add(word)
        }
      }
    }
  }
  const numeric = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: 'numeric', calendar: 'gregory' })
  const order = numeric.formatToParts().flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? [type] : []))
  return { order, months, others, dayPeriods: readDayPeriods(locale) }
}

function readDayPeriods(locale: string | undefined): Words['dayPeriods'] {
  const formatter = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
  const wordAt = (hour: number) => formatter.formatToParts(Date.UTC(2026, 0, 1, hour)).find(({ type }) => type === 'dayPeriod')?.value
  const words = [
    { text: wordAt(9), hours: 0 },
    { text: wordAt(21), hours: 12 },
    { text: 'am', hours: 0 },
    { text: 'pm', hours: 12 },
  ]
  return words.flatMap(({ text, hours }) =>
    text === undefined
      ? []
      : [{ word: new RegExp(`(?<![\\p{L}\\p{M}])${text.toLowerCase().replaceAll('.', '\\.')}(?![\\p{L}\\p{M}])`, 'u'), hours }],
  )
}
