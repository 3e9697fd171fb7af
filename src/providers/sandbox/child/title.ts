/** The prompt as a title for players and viewers: one line, at most 120 characters, no split characters. */
export function titleOf(prompt: string): string {
  const line = prompt.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return [...line].slice(0, 120).join('')
}
