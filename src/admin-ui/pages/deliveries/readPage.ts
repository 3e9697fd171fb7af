import type { Client } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { DeliveriesQuery, type DeliveryPage, type DeliveryVariables } from './deliveriesQuery.ts'

/** Asks for one page of the log, as it is now. */
export async function readPage(client: Client, variables: DeliveryVariables, after: string | null): Promise<DeliveryPage | Failure> {
  const answer = await client.query(DeliveriesQuery, { ...variables, after }, { requestPolicy: 'network-only' }).toPromise()
  if (answer.error) return failureOf(answer.error)
  return answer.data?.team?.webhookDeliveries ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
}
