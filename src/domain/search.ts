/** Matches texts that contain `text`, case-insensitive. */
export function containing(text: string): { $ilike: string } {
  return { $ilike: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` }
}
