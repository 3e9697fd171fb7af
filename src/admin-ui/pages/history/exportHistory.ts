import type { Client } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import type { CsvCell } from '../../ui/table/downloadCsv.ts'
import type { ExportPage } from '../../ui/table/readAllRows.ts'
import { formatAxes } from './generationLabels.ts'
import { HistoryQuery, type HistoryRow, type HistoryVariables } from './historyQuery.ts'

/** Programs read the columns by their place: add new ones at the end. */
export const csvHeader = [
  'id',
  'created',
  'started',
  'finished',
  'state',
  'source',
  'family',
  'variant',
  'axes',
  'prompt',
  'reference',
  'key',
  'price',
  'charged',
  'failure',
  'person',
  'failure code',
  'failure reason',
]

const pageRows = 50

function csvRowOf(row: HistoryRow): CsvCell[] {
  const { generationId, createdAt, startedAt, finishedAt, state, source, familyId, modelId, axes, prompt, reference, apiKey, error } = row
  const times = [createdAt, startedAt, finishedAt]
  const what = [state.toLowerCase(), source.toLowerCase(), familyId, modelId, formatAxes(axes), prompt, reference, apiKey?.name]
  const failure = [error?.message, row.startedBy?.name, error?.code, error?.reason]
  return [generationId, ...times, ...what, row.credits, row.creditsCharged, ...failure]
}

/** Reads a page of the filtered history as CSV rows. */
export async function readRows(client: Client, variables: HistoryVariables, after: string | null): Promise<ExportPage | Failure> {
  const asked = { ...variables, first: pageRows, after }
  const { data, error } = await client.query(HistoryQuery, asked, { requestPolicy: 'network-only' }).toPromise()
  const page = data?.team?.generations
  if (!page) return failureOf(error as NonNullable<typeof error>)
  const { hasNextPage, endCursor } = page.pageInfo
  return { rows: page.nodes.map(csvRowOf), after: hasNextPage ? endCursor : null }
}
