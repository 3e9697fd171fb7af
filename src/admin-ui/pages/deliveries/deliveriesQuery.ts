import type { ResultOf, VariablesOf } from 'gql.tada'
import type { Client } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'

/** The fields of a row of the log. */
const deliveryRow = graphql(`
  fragment DeliveryRow on WebhookDelivery {
    id
    kind
    event
    eventNumber
    isTest
    time
    state
    attempts
    responseCode
    refusalText
    responseSnippet
    nextAttemptAt
    subscriptionId
    address
  }
`)

/** A page of the team's delivery log, newest event first. */
export const DeliveriesQuery = graphql(
  `
  query Deliveries(
    $team: ID!
    $webhook: ID
    $kind: DeliveryKind
    $state: WebhookDeliveryState
    $event: WebhookEvent
    $since: DateTime
    $until: DateTime
    $after: String
  ) {
    team(id: $team) {
      id
      webhookDeliveries(first: 50, after: $after, subscriptionId: $webhook, kind: $kind, state: $state, event: $event, since: $since, until: $until) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...DeliveryRow
        }
      }
    }
  }
`,
  [deliveryRow],
)

const DeliveryRowQuery = graphql(
  `
  query DeliveryRow($id: ID!) {
    webhookDelivery(id: $id) {
      ...DeliveryRow
    }
  }
`,
  [deliveryRow],
)

export type DeliveryVariables = VariablesOf<typeof DeliveriesQuery>
export type DeliveryPage = NonNullable<ResultOf<typeof DeliveriesQuery>['team']>['webhookDeliveries']
export type Delivery = DeliveryPage['nodes'][number]

/** One delivery with all details. */
export const DeliveryQuery = graphql(
  `
  query Delivery($id: ID!) {
    webhookDelivery(id: $id) {
      ...DeliveryRow
      team {
        id
      }
      generationId
      payload
      attemptLog {
        number
        time
        durationSeconds
        responseCode
        refusalText
        responseSnippet
      }
      subscription {
        id
        paused
        deletedAt
      }
      alertSubscription {
        id
        paused
        deletedAt
      }
    }
  }
`,
  [deliveryRow],
)

/** Reads the current state of one page of the log. */
export async function readPage(client: Client, variables: DeliveryVariables, after: string | null): Promise<DeliveryPage | Failure> {
  const answer = await client.query(DeliveriesQuery, { ...variables, after }, { requestPolicy: 'network-only' }).toPromise()
  if (answer.error) return failureOf(answer.error)
  return answer.data?.team?.webhookDeliveries ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
}

/** Reads the current state of rows. Rows that cannot be read are left out. */
export async function readRows(client: Client, ids: readonly string[]): Promise<Delivery[]> {
  const answers = await Promise.all(ids.map((id) => client.query(DeliveryRowQuery, { id }, { requestPolicy: 'network-only' }).toPromise()))
  return answers.map(({ data }) => data?.webhookDelivery).filter((row) => row !== null && row !== undefined)
}

export type FullDelivery = NonNullable<ResultOf<typeof DeliveryQuery>['webhookDelivery']>
export type Attempt = FullDelivery['attemptLog'][number]

export const Redeliver = graphql(`
  mutation Redeliver($input: RedeliverInput!) {
    redeliver(input: $input) {
      id
      state
      nextAttemptAt
    }
  }
`)
