import type { ResultOf, VariablesOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { historyDocument } from './historyDocument.ts'

/** A page of the history, with the fields of its rows. */
export const HistoryQuery = graphql(historyDocument)

/** One generation with all details. It includes the fields of a row, to update it. */
export const GenerationQuery = graphql(`
  query Generation($teamId: ID!, $id: ID!) {
    team(id: $teamId) {
      id
      generation(id: $id) {
        generationId
        state
        familyId
        modelId
        task
        axes
        outputType
        prompt
        parameters
        inputs {
          imageIds
          videoIds
          audioIds
          model3dIds
        }
        reference
        metadata
        source
        credits
        creditsHeld
        creditsCharged
        createdAt
        startedAt
        finalizingAt
        finishedAt
        progress
        queuePosition
        pollAfterSeconds
        result {
          url
          urlExpiresAt
          mimeType
          sizeBytes
          width
          height
          durationSeconds
          text
          deletedAt
        }
        error {
          code
          reason
          message
          hint
          retryable
          details
        }
        apiKey {
          id
          name
          prefix
        }
        startedBy {
          userId
          name
        }
      }
    }
  }
`)

export const CancelMutation = graphql(`
  mutation CancelGeneration($id: ID!) {
    cancelGeneration(id: $id) {
      generationId
      cancelled
      state
      creditsCharged
      creditsReturned
    }
  }
`)

export const DeleteResultMutation = graphql(`
  mutation DeleteResult($id: ID!) {
    deleteResult(id: $id) {
      generationId
      result {
        deletedAt
      }
    }
  }
`)

export type HistoryPage = NonNullable<ResultOf<typeof HistoryQuery>['team']>['generations']
export type HistoryRow = HistoryPage['nodes'][number]
export type Generation = NonNullable<ResultOf<typeof GenerationQuery>['team']>['generation']
export type HistoryVariables = Omit<VariablesOf<typeof HistoryQuery>, 'first' | 'after'>
