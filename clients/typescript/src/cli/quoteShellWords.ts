import { hasHidden } from './visible.ts'

/** Quotes words for a shell, with visible characters only. */
export function quoteShellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  if (/^[\w@%+:,./=-]+$/.test(word)) return word
  return hasHidden(word) ? `$'${[...word].map(escaped).join('')}'` : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Escapes a character inside `$'…'`. */
function escaped(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`
  if (!hasHidden(character)) return character
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}
