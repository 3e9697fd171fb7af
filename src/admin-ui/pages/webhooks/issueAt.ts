import type { Failure } from '../../api/failure.ts'

type Issue = { path: unknown[]; message: string }

/** What is wrong with one field of a form, in words, if that is what was refused. */
export function issueAt(failure: Failure | undefined, field: string): string | undefined {
  const issues = failure?.details['issues']
  return Array.isArray(issues) ? issues.filter(isIssue).find(({ path }) => path[0] === field)?.message : undefined
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false
  return 'path' in value && Array.isArray(value.path) && 'message' in value && typeof value.message === 'string'
}
