/** Characters that are invisible, move the cursor or turn the direction of text. Joiners stay: letters and emoji are written with them. */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from elsewhere as it may go to a terminal, in one line: everything invisible as an escape. */
export function visible(text: string): string {
  return text.replaceAll(hidden, escaped)
}

/** Whether a part of it cannot be seen as it is. */
export function hasHidden(text: string): boolean {
  return text.search(hidden) !== -1
}

/** JSON of a value in one line. What JSON leaves raw and a terminal obeys is escaped as well; whoever parses it gets the same value. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  )
}

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(character: string): string {
  return short[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** At most so many characters of a text, with a sign where something is missing. */
export function cut(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, Math.max(0, charactersMax - 1)).join('')}…`
}
