const stored = 'atelier-time-zone'

let chosen: { zone: string | undefined } | undefined

/** The zone in which times are shown; undefined for that of the device. */
export function chosenTimeZone(): string | undefined {
  chosen ??= { zone: storedZone() }
  return chosen.zone
}

function storedZone(): string | undefined {
  try {
    const zone = localStorage.getItem(stored)
    return zone !== null && timeZones().includes(zone) ? zone : undefined
  } catch {
    // Storage is not available.
    return undefined
  }
}

export function chooseTimeZone(zone: string | undefined): void {
  chosen = { zone }
  try {
    if (zone === undefined) localStorage.removeItem(stored)
    else localStorage.setItem(stored, zone)
  } catch {
    // Storage is full or not available. The choice lasts until the next page load.
  }
}

export function deviceTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones that this browser knows. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** Options for `Intl` with the chosen zone. */
export function inTimeZone<Options extends Intl.DateTimeFormatOptions>(options: Options): Options & Intl.DateTimeFormatOptions {
  const timeZone = chosenTimeZone()
  return timeZone === undefined ? options : { timeZone, ...options }
}

/** The day and time of a clock on the wall in the chosen zone: `2026-11-22T09:30`. */
export function wallClock(at: Date): string {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const options = inTimeZone({ ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const parts = new Map(new Intl.DateTimeFormat('en', options).formatToParts(at).map(({ type, value }) => [type, value]))
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
