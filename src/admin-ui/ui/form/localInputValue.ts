/** A moment as a field of the browser takes it: the minute in the reader's own zone, `2026-11-22T09:30`. Empty for none. */
export function toLocalInputValue(at: string | number | undefined): string {
  const date = at === undefined ? undefined : new Date(at)
  if (date === undefined || Number.isNaN(date.getTime())) return ''
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment that such a field holds, in UTC; `undefined` while it holds none. */
export function fromLocalInputValue(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
