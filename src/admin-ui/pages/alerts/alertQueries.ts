import type { ResultOf } from 'gql.tada'
import type { OperationContext } from 'urql'
import { graphql } from '../../api/graphql.ts'

export const AlertsQuery = graphql(`
  query AlertSubscriptions($team: ID!, $after: String) {
    team(id: $team) {
      id
      alertSubscriptions(first: 25, after: $after) {
        nodes {
          id
          address
          kinds
          paused
          createdAt
          lastDeliveryDay
          lastDeliveryOutcome
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

export const CreateAlert = graphql(`
  mutation CreateAlert($input: CreateAlertSubscriptionInput!) {
    createAlertSubscription(input: $input) {
      signingSecret
    }
  }
`)

export const UpdateAlert = graphql(`
  mutation UpdateAlert($input: UpdateAlertSubscriptionInput!) {
    updateAlertSubscription(input: $input) {
      id
      kinds
      paused
    }
  }
`)

export const DeleteAlert = graphql(`
  mutation DeleteAlert($input: DeleteAlertSubscriptionInput!) {
    deleteAlertSubscription(input: $input)
  }
`)

export const RotateAlertSecret = graphql(`
  mutation RotateAlertSecret($input: RotateAlertSecretInput!) {
    rotateAlertSecret(input: $input) {
      signingSecret
    }
  }
`)

export const SendTestAlert = graphql(`
  mutation SendTestAlert($input: SendTestAlertInput!) {
    sendTestAlert(input: $input) {
      id
    }
  }
`)

/** An empty list is refetched by its typename. */
export const alertsContext: Partial<OperationContext> = {
  additionalTypenames: ['AlertSubscription'],
  requestPolicy: 'cache-and-network',
}

export type AlertSubscription = NonNullable<ResultOf<typeof AlertsQuery>['team']>['alertSubscriptions']['nodes'][number]
export type AlertKind = AlertSubscription['kinds'][number]
