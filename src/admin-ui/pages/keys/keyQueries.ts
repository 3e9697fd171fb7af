import type { ResultOf } from 'gql.tada'
import type { OperationContext } from 'urql'
import { graphql } from '../../api/graphql.ts'

export const KeysQuery = graphql(`
  query Keys($teamId: ID!, $search: String, $state: ApiKeyState, $after: String) {
    team(id: $teamId) {
      id
      apiKeys(first: 50, after: $after, search: $search, state: $state) {
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
          singleLimitCredits
          confirmAboveCredits
          spentTodayCredits
          heldCredits
          hints
          issuedBy {
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
`)

type Team = NonNullable<ResultOf<typeof KeysQuery>['team']>
export type KeyRow = Team['apiKeys']['nodes'][number]
export type Scope = KeyRow['scopes'][number]
export type KeyHint = KeyRow['hints'][number]

/** Keys are used while nobody looks: what was read before shows at once, and is read anew. An empty list is refetched by its typename. */
export const keysContext: Partial<OperationContext> = { additionalTypenames: ['ApiKey'], requestPolicy: 'cache-and-network' }

export const IssueKey = graphql(`
  mutation IssueKey($input: IssueApiKeyInput!) {
    issueApiKey(input: $input) {
      value
      apiKey {
        id
        scopes
        dailyLimitCredits
        singleLimitCredits
      }
    }
  }
`)

export const UpdateKey = graphql(`
  mutation UpdateKey($input: UpdateApiKeyInput!) {
    updateApiKey(input: $input) {
      id
      name
    }
  }
`)

export const RotateKey = graphql(`
  mutation RotateKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) {
      value
      apiKey {
        id
        scopes
        dailyLimitCredits
        singleLimitCredits
        previousPrefix
        previousValueEndsAt
      }
    }
  }
`)

export const RevokeKey = graphql(`
  mutation RevokeKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) {
      id
      state
    }
  }
`)

/** What the end of a key would cut, as of now. */
export const KeyInUseQuery = graphql(`
  query KeyInUse($id: ID!) {
    apiKey(id: $id) {
      id
      prefix
      lastUsedAt
      runningGenerations
      liveLinks
    }
  }
`)

/** What there is to try a key with. */
export const TrialFamiliesQuery = graphql(`
  query TrialFamilies($teamId: ID!) {
    families(teamId: $teamId, task: "text-to-image") {
      nodes {
        id
        available
        creditsFrom
      }
    }
  }
`)
