/** Formats a time for a datetime-local field, in the reader's time zone: `2026-11-22T09:30`. Empty without a time. */
export function toLocalInputValue(at: string | number | undefined): string {
  const date = at === undefined ? undefined : new Date(at)
  if (date === undefined || Number.isNaN(date.getTime())) return ''
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Parses the value of such a field to UTC; `undefined` while it is incomplete. */
export function fromLocalInputValue(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
