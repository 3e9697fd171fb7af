import type { Client } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import type { CsvCell } from '../../ui/table/downloadCsv.ts'
import type { ExportPage } from '../../ui/table/readAllRows.ts'
import { actorLabel } from './auditLabels.ts'
import { type AuditEntry, AuditQuery, type AuditVariables } from './auditQuery.ts'

export const csvHeader = [
  'id',
  'time',
  'who',
  'who id',
  'what',
  'subject',
  'subject name',
  'before',
  'after',
  'address',
  'user agent',
  'request',
]

function csvRowOf(entry: AuditEntry): CsvCell[] {
  const { id, time, actorId, action, subjectId, subjectName, before, after, address, userAgent, requestId } = entry
  const act = [id, time, actorLabel(entry), actorId, action.toLowerCase(), subjectId, subjectName]
  return [...act, jsonOf(before), jsonOf(after), address, userAgent, requestId]
}

/** Reads a page of filtered entries as CSV rows. */
export async function readRows(client: Client, variables: AuditVariables, after: string | null): Promise<ExportPage | Failure> {
  const answer = await client.query(AuditQuery, { ...variables, after }, { requestPolicy: 'network-only' }).toPromise()
  if (answer.error) return failureOf(answer.error)
  const page = answer.data?.team?.auditLog
  return page
    ? { rows: page.nodes.map(csvRowOf), after: page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null }
    : { rows: [], after: null }
}

function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
