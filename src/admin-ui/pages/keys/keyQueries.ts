import type { ResultOf } from 'gql.tada'
import type { OperationContext } from 'urql'
import { graphql } from '../../api/graphql.ts'
import { keyFields } from '../../api/keyFields.ts'

export const KeysQuery = graphql(
  `
  query Keys($teamId: ID!, $search: String, $state: ApiKeyState, $after: String) {
    team(id: $teamId) {
      id
      apiKeys(first: 50, after: $after, search: $search, state: $state) {
        nodes {
          ...KeyFields
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`,
  [keyFields],
)

/** One key with the fields of a row. */
export const KeyQuery = graphql(
  `
  query Key($id: ID!) {
    apiKey(id: $id) {
      ...KeyFields
      team {
        id
      }
    }
  }
`,
  [keyFields],
)

type Team = NonNullable<ResultOf<typeof KeysQuery>['team']>
export type KeyRow = Team['apiKeys']['nodes'][number]
export type Scope = KeyRow['scopes'][number]
export type KeyHint = KeyRow['hints'][number]

/** Shows cached keys at once and refetches them, because their usage changes. An empty list is refetched by its typename. */
export const keysContext: Partial<OperationContext> = { additionalTypenames: ['ApiKey'], requestPolicy: 'cache-and-network' }

export const IssueKey = graphql(`
  mutation IssueKey($input: IssueApiKeyInput!) {
    issueApiKey(input: $input) {
      value
      apiKey {
        id
        scopes
        dailyLimitCredits
        monthlyLimitCredits
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
        monthlyLimitCredits
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

/** The running work and links of a key, read now. */
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

/** The families to try a key with. */
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
