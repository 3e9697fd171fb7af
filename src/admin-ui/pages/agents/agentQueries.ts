import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** The person's credits, and whether their subscription is active. */
export const PersonalAccountQuery = graphql(`
  query PersonalAccount {
    viewer {
      user {
        id
        subscriptionActive
        account {
          creditsAvailable
          creditsHeld
        }
      }
    }
  }
`)

/** The person's agent keys, with the fields of the key dialogs. */
export const AgentKeysQuery = graphql(`
  query AgentKeys($after: String) {
    viewer {
      user {
        id
        agentKeys(first: 50, after: $after) {
          nodes {
            id
            name
            prefix
            scopes
            state
            createdAt
            lastUsedAt
            revokedAt
            expiresAt
            previousPrefix
            previousValueEndsAt
            rotatable
            dailyLimitCredits
            monthlyLimitCredits
            singleLimitCredits
            confirmAboveCredits
            spentTodayCredits
            spentThisMonthCredits
            heldCredits
            hints
            issuedBy {
              id
              name
            }
            team {
              id
              name
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`)

type AgentKeys = NonNullable<ResultOf<typeof AgentKeysQuery>['viewer']['user']>['agentKeys']
export type AgentKey = AgentKeys['nodes'][number]
