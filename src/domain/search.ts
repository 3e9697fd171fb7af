/** A pattern of `ilike` for texts that contain `text`. */
export function containingPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Matches texts that contain `text`, case-insensitive. */
export function containing(text: string): { $ilike: string } {
  return { $ilike: containingPattern(text) }
}
