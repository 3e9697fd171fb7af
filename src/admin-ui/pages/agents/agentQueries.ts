import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { keyFields } from '../../api/keyFields.ts'

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
export const AgentKeysQuery = graphql(
  `
  query AgentKeys($after: String) {
    viewer {
      user {
        id
        agentKeys(first: 50, after: $after) {
          nodes {
            ...KeyFields
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
`,
  [keyFields],
)

type AgentKeys = NonNullable<ResultOf<typeof AgentKeysQuery>['viewer']['user']>['agentKeys']
export type AgentKey = AgentKeys['nodes'][number]
