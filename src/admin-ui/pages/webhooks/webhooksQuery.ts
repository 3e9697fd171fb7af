import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** A page of the team's webhooks, newest first, with their health of the last day. */
export const WebhooksQuery = graphql(`
  query Webhooks($team: ID!, $after: String) {
    team(id: $team) {
      id
      webhookSubscriptions(first: 50, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          address
          events
          paused
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
      }
    }
  }
`)

export type Webhook = NonNullable<ResultOf<typeof WebhooksQuery>['team']>['webhookSubscriptions']['nodes'][number]
export type WebhookHealth = Webhook['health']
export type WebhookEvent = Webhook['events'][number]

/** An empty list is also refetched after an addition. */
export const webhooksContext = { additionalTypenames: ['WebhookSubscription'] }
