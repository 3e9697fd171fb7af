/** Words as a shell reads them back. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
