import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** The families to choose from, and what the person may run. */
export const PlaygroundQuery = graphql(`
  query Playground($teamId: ID!, $userId: ID!) {
    families(teamId: $teamId) {
      nodes {
        id
        name
        available
        outputType
        tasks
      }
    }
    team(id: $teamId) {
      id
      runDailyLimitCredits
      personRuns(userId: $userId) {
        blocker
        spentTodayCredits
        heldCredits
        leftTodayCredits
      }
      members(first: 50) {
        nodes {
          role
          user {
            id
            name
            email
          }
        }
      }
    }
  }
`)

export const RunMutation = graphql(`
  mutation Run($teamId: ID!, $input: GenerationInput!, $idempotencyKey: String!) {
    startGeneration(teamId: $teamId, input: $input, idempotencyKey: $idempotencyKey) {
      generation {
        generationId
      }
    }
  }
`)

export const UploadAddressMutation = graphql(`
  mutation CreateUploadAddress($input: CreateUploadAddressInput!) {
    createUploadAddress(input: $input) {
      uploadUrl
      fileId
    }
  }
`)

type Team = NonNullable<ResultOf<typeof PlaygroundQuery>['team']>
export type ListedFamily = ResultOf<typeof PlaygroundQuery>['families']['nodes'][number]
export type PersonRuns = Team['personRuns']
export type Member = Team['members']['nodes'][number]
