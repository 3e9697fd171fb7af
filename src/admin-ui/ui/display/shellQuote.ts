/** Quotes a text as one word of a POSIX shell, without expansion of `$`, backticks, `!` or line ends. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
