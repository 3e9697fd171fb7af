import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** The hosts of callbacks whose last attempt failed. */
export const FailingCallbacksQuery = graphql(`
  query FailingCallbacks($team: ID!) {
    team(id: $team) {
      id
      failingCallbacks {
        origin
        lastDeliveryOutcome
        health {
          failedAttempts
          retrying
        }
      }
    }
  }
`)

export const CallbackSecretQuery = graphql(`
  query CallbackSecret($team: ID!) {
    team(id: $team) {
      id
      callbackSecret
    }
  }
`)

export const RotateCallbackSecret = graphql(`
  mutation RotateCallbackSecret($input: RotateCallbackSecretInput!) {
    rotateCallbackSecret(input: $input) {
      signingSecret
    }
  }
`)

export type FailingHost = NonNullable<ResultOf<typeof FailingCallbacksQuery>['team']>['failingCallbacks'][number]
