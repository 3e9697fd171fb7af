import { docUrlsAt } from '../../contract/docUrl.ts'
import { errorReference, type FailureEntry, issueReference, type RefusalEntry } from '../../contract/errorReference.ts'

/**
 * Generates the errors page as Markdown from the tables of refusals and failures. Each paragraph has the anchor of its `docUrl`.
 * `publicUrl`: address of this service without a trailing slash. Contract: docs/contract.md#documentation-site.
 */
export function errorsMarkdown(publicUrl: string): string {
  const entries = errorReference(docUrlsAt(publicUrl))
  const refusals = entries.filter((entry) => entry.kind === 'refusal')
  const failures = entries.filter((entry) => entry.kind === 'failure')
  return [
    '# Errors',
    'All refusals and failures of the service: what they mean, and what to do. Programs use `code` and `retryable`. The `docUrl` of every refusal ' +
      'and failure links to its paragraph here. When you ask for help, send the `X-Request-Id` of the response.',
    '## Refusals',
    'An endpoint answers with a refusal when it does not accept a request.',
    refusalTable(refusals),
    ...refusals.map(refusalParagraph),
    '## Failures',
    'A started generation ends as `failed`. It costs nothing. `code` is the class, `reason` the cause, and `hint` the advice.',
    failureTable(failures),
    ...failures.map(failureParagraph),
    '## Issues',
    '`details.issues` of a refusal lists the faults of the request. Each has a path and one of these codes.',
    issueTable(),
  ].join('\n\n')
}

function refusalTable(entries: readonly RefusalEntry[]): string {
  const rows = entries.map((entry) => [`[\`${entry.code}\`](#${entry.id})`, String(entry.http), repeatOf(entry)])
  return table(['code', 'status', 'repeat'], rows)
}

function refusalParagraph(entry: RefusalEntry): string {
  const facts = `HTTP ${entry.http}. ${repeatWords(entry)}.`
  return paragraph({ title: `\`${entry.code}\``, facts, depth: 3 }, entry)
}

function failureTable(entries: readonly FailureEntry[]): string {
  const classes = entries.filter(({ reason }) => reason === undefined)
  const reasonsOf = (code: string) => entries.filter((entry) => entry.code === code && entry.reason !== undefined)
  const rows = classes.map((entry) => [
    `[\`${entry.code}\`](#${entry.id})`,
    reasonsOf(entry.code)
      .map(({ id, reason = '' }) => `[\`${reason}\`](#${id})`)
      .join(', '),
    repeatOf(entry),
  ])
  return table(['class', 'reasons', 'repeat'], rows)
}

function failureParagraph(entry: FailureEntry): string {
  const { code, reason, hint, retryable } = entry
  const facts = `${retryable ? 'Worth repeating' : 'Not worth repeating'}${hint === undefined ? '' : `; the hint is \`${hint}\``}.`
  return paragraph(
    { title: reason === undefined ? `Class \`${code}\`` : `\`${reason}\``, facts, depth: reason === undefined ? 3 : 4 },
    entry,
  )
}

function paragraph({ title, facts, depth }: { title: string; facts: string; depth: number }, entry: RefusalEntry | FailureEntry): string {
  const example = entry.example && `\`\`\`json\n${JSON.stringify(entry.example, null, 2)}\n\`\`\``
  const parts = [`${'#'.repeat(depth)} ${title} {#${entry.id}}`, entry.meaning, `**What to do:** ${entry.remedy}`, facts, example]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function repeatOf(entry: RefusalEntry | FailureEntry): string {
  if ('retryableWhen' in entry) return 'sometimes'
  return entry.retryable ? 'yes' : 'no'
}

function repeatWords({ retryable, retryableWhen }: RefusalEntry): string {
  if (retryableWhen !== undefined) return `Worth repeating in one case: ${retryableWhen}`
  return retryable ? 'Worth repeating' : 'Not worth repeating'
}

function issueTable(): string {
  return table(
    ['code', 'meaning', 'what to do'],
    issueReference.map(({ code, meaning, remedy }) => [`\`${code}\``, meaning, remedy]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
