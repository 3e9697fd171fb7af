/** Line breaks and control characters; invisible characters except joiners, which letters and emoji need. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const unseen = /(?![\u200c\u200d])\p{Cf}/gu

/**
 * The start of a user's text in quotes, for a model. Quotes are escaped: a history contains texts of a whole team, and a model may take
 * text outside of quotes for instructions of this service.
 */
export function quoteUserText(words: string, charactersMax: number): string {
  return JSON.stringify(singleLine(words, charactersMax))
}

/** The start of a user's text on one line, for a title. */
export function singleLine(words: string, charactersMax: number): string {
  const begun = Array.from(
    words
      .replace(unseen, '')
      .replace(breaks, ' ')
      .slice(0, 2 * charactersMax + 1),
  )
  return begun.length > charactersMax ? `${begun.slice(0, charactersMax).join('')}…` : begun.join('')
}
