/** The innermost cause as the system reports it, such as ECONNREFUSED. */
export function describeCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message } = error as Error & { code?: unknown }
  return describeCause(error.cause) ?? (typeof code === 'string' && code !== '' ? code : message)
}
