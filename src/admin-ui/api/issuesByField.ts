import type { Failure } from './failure.ts'

/** The first server message per field of an input. Empty without a failure. */
export function issuesByField(failure: Failure | undefined): Partial<Record<string, string>> {
  const list = failure?.details['issues']
  const issues: unknown[] = Array.isArray(list) ? list : []
  const found = issues.flatMap((issue): [string, string][] => {
    const { path, message } = issue as { path?: unknown[]; message?: unknown }
    const field = path?.[0]
    return typeof field === 'string' && typeof message === 'string' ? [[field, message]] : []
  })
  return Object.fromEntries(found.toReversed())
}
