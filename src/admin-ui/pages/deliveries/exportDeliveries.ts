import type { Client } from 'urql'
import type { Failure } from '../../api/failure.ts'
import type { CsvCell } from '../../ui/downloadCsv.ts'
import { eventNames } from '../webhooks/eventNames.ts'
import type { Delivery, DeliveryVariables } from './deliveriesQuery.ts'
import { readPage } from './readPage.ts'
import { reasonOf } from './replyWords.ts'

/** A file of more rows is one that nobody reads; filters cut it down. */
export const exportRowsMax = 10_000

export const csvHeader = [
  'id',
  'time',
  'event',
  'number',
  'test',
  'state',
  'webhook',
  'address',
  'attempts',
  'response code',
  'reason',
  'first bytes of the answer',
  'next attempt',
]

function csvRowOf(delivery: Delivery): CsvCell[] {
  const { id, time, event, eventNumber, isTest, state, subscription, attempts, responseCode, responseSnippet, nextAttemptAt } = delivery
  const words = [eventNames[event].name, eventNumber, isTest, state.toLowerCase()]
  return [
    id,
    time,
    ...words,
    subscription.id,
    subscription.address,
    attempts,
    responseCode,
    reasonOf(delivery),
    responseSnippet,
    nextAttemptAt,
  ]
}

/** Reads every row of a filter, page by page, `exportRowsMax` at most. `undefined` when it was called off. */
export async function readAllRows(
  client: Client,
  variables: DeliveryVariables,
  { signal, onProgress }: { signal: AbortSignal; onProgress(count: number): void },
): Promise<{ rows: CsvCell[][]; isCut: boolean } | Failure | undefined> {
  const rows: CsvCell[][] = []
  for (let after: string | null = null; ; ) {
    const page = await readPage(client, variables, after)
    if (signal.aborted) return undefined
    if ('code' in page) return page
    rows.push(...page.nodes.map(csvRowOf))
    onProgress(rows.length)
    const { hasNextPage, endCursor } = page.pageInfo
    if (!hasNextPage || rows.length >= exportRowsMax) return { rows: rows.slice(0, exportRowsMax), isCut: hasNextPage }
    after = endCursor
  }
}
