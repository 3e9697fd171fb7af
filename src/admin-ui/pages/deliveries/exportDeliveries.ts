import type { Client } from 'urql'
import type { Failure } from '../../api/failure.ts'
import type { CsvCell } from '../../ui/table/downloadCsv.ts'
import type { ExportPage } from '../../ui/table/readAllRows.ts'
import { type Delivery, type DeliveryVariables, readPage } from './deliveriesQuery.ts'
import { deliveryName } from './deliveryNames.ts'
import { reasonOf } from './explainReply.ts'

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
  const { id, time, event, eventNumber, isTest, state, subscriptionId, address, attempts, responseCode, responseSnippet, nextAttemptAt } =
    delivery
  const words = [deliveryName(event), eventNumber, isTest, state.toLowerCase()]
  return [
    id,
    time,
    ...words,
    subscriptionId ?? 'callback',
    address,
    attempts,
    responseCode,
    reasonOf(delivery),
    responseSnippet,
    nextAttemptAt,
  ]
}

/** Reads a page of filtered deliveries as CSV rows. */
export async function readRows(client: Client, variables: DeliveryVariables, after: string | null): Promise<ExportPage | Failure> {
  const page = await readPage(client, variables, after)
  if ('code' in page) return page
  const { hasNextPage, endCursor } = page.pageInfo
  return { rows: page.nodes.map(csvRowOf), after: hasNextPage ? endCursor : null }
}
