const unitSeconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses `90`, `90s`, `15m`, `2h` or `1d` to seconds; `undefined` for anything else. */
export function durationSeconds(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(text) ?? []
  const factor = unitSeconds[unit]
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor
}

/** Formats a duration: `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const [large, largeUnit, small, smallUnit] =
    whole < 3600
      ? [Math.floor(whole / 60), 'min', whole % 60, 's']
      : [Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min']
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
