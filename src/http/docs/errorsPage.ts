import { docUrlsAt } from '../../contract/docUrl.ts'
import { errorReference, type FailureEntry, issueReference, type RefusalEntry } from '../../contract/errorReference.ts'

/**
 * The page of errors as Markdown, made from the tables: each paragraph has the anchor to which `docUrl` leads.
 * Contract: docs/contract.md#documentation-site. `publicUrl`: of this service, without a slash at its end.
 */
export function errorsMarkdown(publicUrl: string): string {
  const entries = errorReference(docUrlsAt(publicUrl))
  const refusals = entries.filter((entry) => entry.kind === 'refusal')
  const failures = entries.filter((entry) => entry.kind === 'failure')
  return [
    '# Errors',
    'What the service says when it says no, what it means, and what to do. Programs go by `code` and `retryable`; `docUrl` of every refusal and ' +
      'failure leads to its paragraph here, and `X-Request-Id` of every response is what to name when you ask for help.',
    '## Refusals',
    'What an endpoint answers in place of what was asked for.',
    refusalTable(refusals),
    ...refusals.map(refusalParagraph),
    '## Failures',
    'A generation that was started ends as `failed`. It costs nothing. `code` is its class, `reason` the cause, `hint` what to do.',
    failureTable(failures),
    ...failures.map(failureParagraph),
    '## Issues',
    '`details.issues` of a refusal lists what is wrong with the request, each with its place and one of these codes.',
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
