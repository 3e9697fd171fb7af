/**
 * Characters that are invisible, move the cursor or change the text direction. Joiners are allowed, because letters and emoji need them.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Makes foreign text safe for a terminal, in one line: invisible characters are escaped. */
export function visible(text: string): string {
  return text.replaceAll(hidden, escaped)
}

/** True when the text has invisible characters. */
export function hasHidden(text: string): boolean {
  return text.search(hidden) !== -1
}

/** JSON in one line. Control characters that JSON leaves unescaped are escaped too, which does not change the parsed value. */
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

/** Cuts a text to `charactersMax` characters, with an ellipsis. */
export function cut(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, Math.max(0, charactersMax - 1)).join('')}…`
}
