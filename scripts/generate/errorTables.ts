import { docUrlsAt } from '../../src/contract/docUrl.ts'
import { type ErrorEntry, errorReference, type FailureEntry, issueReference, type RefusalEntry } from '../../src/contract/errorReference.ts'

/** The tables below these headings are generated; everything else in the document is written by people. */
const tables: Record<string, () => string> = {
  '### Every refusal': () => refusalTable(entries.filter((entry) => entry.kind === 'refusal')),
  '### Every code of an issue': issueTable,
  '### Every failure': () => failureTable(entries.filter((entry) => entry.kind === 'failure')),
}

const entries: ErrorEntry[] = errorReference(docUrlsAt('https://atelier.example'))

/** Returns the document with updated error tables. Throws if a heading is missing. */
export function withErrorTables(document: string): string {
  return Object.entries(tables).reduce((text, [heading, make]) => {
    const place = new RegExp(`^${heading}\n\n((?!\\||#).+\n+)*(\\|.*\n)*`, 'm')
    const [found] = place.exec(text) ?? []
    if (found === undefined) throw new Error(`The document has no heading "${heading}".`)
    return text.replace(found, () => found.replace(/^\|.*\n/gm, '').trimEnd() + `\n\n${make()}\n`)
  }, document)
}

function refusalTable(refusals: readonly RefusalEntry[]): string {
  const rows = refusals.map(({ code, http, retryable, retryableWhen, meaning, remedy }) => {
    return [`\`${code}\``, String(http), retryableWhen ?? yesNo(retryable), meaning, remedy]
  })
  return table(['code', 'status', 'repeat', 'meaning', 'what to do'], rows)
}

/** A class has its own row before its reasons. */
function failureTable(failures: readonly FailureEntry[]): string {
  const rows = failures.map(({ code, reason, retryable, hint, meaning, remedy }) =>
    reason === undefined
      ? [`**\`${code}\`**`, yesNo(retryable), '', meaning, remedy]
      : [`\`${reason}\``, yesNo(retryable), `\`${hint}\``, meaning, remedy],
  )
  return table(['class, and its reasons', 'repeat', 'hint', 'meaning', 'what to do'], rows)
}

function issueTable(): string {
  const rows = issueReference.map(({ code, meaning, remedy }) => [`\`${code}\``, meaning, remedy])
  return table(['code', 'meaning', 'what to do'], rows)
}

function yesNo(holds: boolean): string {
  return holds ? 'yes' : 'no'
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
