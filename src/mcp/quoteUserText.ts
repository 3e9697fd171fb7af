/** What ends a line, and what is there without being seen; joiners apart, which letters and emoji need. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const unseen = /(?![\u200c\u200d])\p{Cf}/gu

/**
 * The beginning of what somebody wrote, for a text that a model reads: between quotes that it cannot end itself, since a history holds
 * words of a whole team and a model takes what stands outside of quotes for ours.
 */
export function quoteUserText(words: string, charactersMax: number): string {
  return JSON.stringify(singleLine(words, charactersMax))
}

/** The beginning of what somebody wrote, on one line, for a title. */
export function singleLine(words: string, charactersMax: number): string {
  const begun = Array.from(
    words
      .replace(unseen, '')
      .replace(breaks, ' ')
      .slice(0, 2 * charactersMax + 1),
  )
  return begun.length > charactersMax ? `${begun.slice(0, charactersMax).join('')}…` : begun.join('')
}
