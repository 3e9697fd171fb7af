import { failureTable } from '../../contract/failures.ts'
import { refusalTable } from '../../contract/refusals.ts'

/** The page of errors, made from the tables: the anchor of a refusal is its code, that of a failure its class and reason. Contract: section 4, `docUrl`. */
export function errorsMarkdown(): string {
  const refusals = Object.entries(refusalTable).map(
    ([code, { http, retryable, message }]) =>
      `### \`${code}\` {#${code}}\n\nHTTP ${http} · ${retryable ? 'worth repeating' : 'not worth repeating'}\n\n${message}`,
  )
  const failures = Object.entries(failureTable).map(
    ([name, { reasons }]) =>
      `### \`${name}\` {#failure-${name}}\n\n${Object.entries(reasons)
        .map(([reason, { message }]) => `#### \`${reason}\` {#${name}-${reason}}\n\n${message}`)
        .join('\n\n')}`,
  )
  return ['# Errors', '## Refusals', ...refusals, '## Failures', ...failures].join('\n\n')
}
