/** A text as one word of a POSIX shell, which expands nothing in it: no `$`, no backtick, no `!`, no line end. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
