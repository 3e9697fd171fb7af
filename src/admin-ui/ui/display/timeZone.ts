let chosen: string | undefined

/** The zone in which times are shown; undefined for that of the browser. */
export function chosenTimeZone(): string | undefined {
  return chosen
}

/** Shows times in the zone; in that of the browser without a zone, or when the browser does not know it. */
export function chooseTimeZone(zone: string | null | undefined): void {
  if ((zone ?? undefined) !== chosen) chosen = isTimeZone(zone) ? zone : undefined
}

function isTimeZone(zone: string | null | undefined): zone is string {
  try {
    return typeof zone === 'string' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export function deviceTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones that this browser knows. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** The name of a zone for people: `America/New York`. */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}

/** Options for `Intl` with the chosen zone. */
export function inTimeZone<Options extends Intl.DateTimeFormatOptions>(options: Options): Options & Intl.DateTimeFormatOptions {
  const timeZone = chosenTimeZone()
  return timeZone === undefined ? options : { timeZone, ...options }
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** A formatter in the chosen zone, in the browser's locale by default. Made once, because that takes 0.1 ms or more. */
export function formatterInTimeZone(options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  const name = JSON.stringify([locale, chosen, options])
  const formatter = formatters.get(name) ?? new Intl.DateTimeFormat(locale, inTimeZone(options))
  formatters.set(name, formatter)
  return formatter
}

/** The day and time of a clock on the wall in the chosen zone: `2026-11-22T09:30`. */
export function wallClock(at: Date): string {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const formatter = formatterInTimeZone({ ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, 'en')
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** The moment when a clock on the wall in the chosen zone shows that. In an hour that occurs twice, one of both. */
export function momentOfWallClock(text: string): Date {
  const asUtc = Date.parse(`${text}Z`)
  const shown = (at: number) => Date.parse(`${wallClock(new Date(at))}Z`)
  if (Number.isNaN(asUtc)) return new Date(Number.NaN)
  const first = 2 * asUtc - shown(asUtc)
  // The offset may differ between both moments.
  return new Date(first + asUtc - shown(first))
}
