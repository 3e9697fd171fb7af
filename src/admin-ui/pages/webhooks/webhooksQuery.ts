import type { ResultOf } from 'gql.tada'
import type { OperationContext } from 'urql'
import { graphql } from '../../api/graphql.ts'

/** The fields of a webhook that the list and its own page show, with its health of the last day. */
const webhookFields = graphql(`
  fragment WebhookFields on WebhookSubscription {
    id
    address
    events
    paused
    autoPausedAt
    createdAt
    secretOverlapEndsAt
    lastDeliveryDay
    lastDeliveryOutcome
    health {
      delivered
      failedAttempts
      successRate
      waiting
      retrying
      hours {
        start
        delivered
        failedAttempts
      }
    }
  }
`)

/** A page of the team's webhooks, newest first. */
export const WebhooksQuery = graphql(
  `
  query Webhooks($team: ID!, $after: String) {
    team(id: $team) {
      id
      webhookSubscriptions(first: 50, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...WebhookFields
        }
      }
    }
  }
`,
  [webhookFields],
)

/** One webhook with its last deliveries, and the last rotation of its secret. */
export const WebhookQuery = graphql(
  `
  query Webhook($team: ID!, $id: ID!) {
    webhookSubscription(id: $id) {
      ...WebhookFields
      deletedAt
      team {
        id
      }
      healthByDay {
        day
        delivered
        failedAttempts
      }
      deliveries(first: 10) {
        nodes {
          id
          event
          isTest
          state
          time
          attempts
          responseCode
          refusalText
          responseSnippet
        }
      }
    }
    team(id: $team) {
      id
      rotations: auditLog(first: 1, subjectId: $id, action: WEBHOOK_SECRET_ROTATED) {
        nodes {
          id
          time
        }
      }
    }
  }
`,
  [webhookFields],
)

export type WebhookWithLog = NonNullable<ResultOf<typeof WebhookQuery>['webhookSubscription']>
export type Webhook = NonNullable<ResultOf<typeof WebhooksQuery>['team']>['webhookSubscriptions']['nodes'][number]
export type WebhookHealth = Webhook['health']
export type WebhookEvent = Webhook['events'][number]

/** Shows cached webhooks at once and refetches them, because others change them. An empty list is also refetched after an addition. */
export const webhooksContext: Partial<OperationContext> = {
  additionalTypenames: ['WebhookSubscription'],
  requestPolicy: 'cache-and-network',
}
