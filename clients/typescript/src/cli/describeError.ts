import { AtelierError } from '../errors/atelierError.ts'
import type { Issue } from '../openapi.ts'

/** The error messages of a failed command, one per line. */
export function describeError(error: unknown): string[] {
  if (error instanceof AtelierError) return refusalWords(error)
  return [error instanceof Error ? error.message : String(error)]
}

/** A refusal in the JSON of the API, in one line, with its request id. */
export function refusalJson({ code, message, retryable, details, docUrl, requestId }: AtelierError): string {
  return JSON.stringify({ error: { code, message, retryable, details, docUrl, requestId } })
}

const shownSeparately = new Set(['issues', 'available', 'retryAfterSeconds'])

function refusalWords(error: AtelierError): string[] {
  const { code, message, details, requestId, docUrl } = error
  const facts = Object.entries(details).filter(([name, value]) => !shownSeparately.has(name) && value !== null && value !== undefined)
  const issues = Array.isArray(details.issues) ? details.issues : []
  const retryHint = error.retryable
    ? `It may succeed later${error.retryAfterSeconds === undefined ? '' : `, in ${error.retryAfterSeconds} s`}.`
    : ''
  return [
    `${message} (${code})`,
    ...issues.map(issueWords),
    ...facts.map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...variantWords(details.available),
    ...(retryHint === '' ? [] : [`  ${retryHint}`]),
    ...(docUrl === undefined ? [] : [`  ${docUrl}`]),
    ...(requestId === undefined ? [] : [`  Request ${requestId}`]),
  ]
}

function issueWords({ in: where, path, message, allowed }: Issue): string {
  const place = path.length > 0 ? path.join('.') : where
  return `  ${place}: ${message}${allowed ? ` Allowed: ${allowed.map(String).join(', ')}` : ''}`
}

function variantWords(available: unknown): string[] {
  if (!Array.isArray(available)) return []
  return (available as { modelId: string; task: string }[]).map(({ modelId, task }) => `  Available: ${modelId}: ${task}`)
}
