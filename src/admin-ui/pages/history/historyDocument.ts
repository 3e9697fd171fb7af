/** The rows of the first page: whole lines of the grid on most screens. */
export const historyPageRows = 24
/** The rows of the pages after it. */
export const laterPageRows = 48

/** The text of `HistoryQuery`, also for {@link ../../api/prefetchQueries.ts}. */
export const historyDocument = `
  query History(
    $teamId: ID!
    $state: GenerationState
    $source: GenerationSource
    $familyId: ID
    $apiKeyId: ID
    $reference: String
    $userId: ID
    $search: String
    $outputType: OutputType
    $createdAfter: DateTime
    $createdBefore: DateTime
    $first: Int!
    $after: String
  ) {
    team(id: $teamId) {
      id
      generations(
        state: $state
        source: $source
        familyId: $familyId
        apiKeyId: $apiKeyId
        reference: $reference
        userId: $userId
        search: $search
        outputType: $outputType
        createdAfter: $createdAfter
        createdBefore: $createdBefore
        first: $first
        after: $after
      ) {
        nodes {
          generationId
          state
          familyId
          modelId
          axes
          outputType
          prompt
          source
          credits
          creditsHeld
          creditsCharged
          createdAt
          startedAt
          finishedAt
          progress
          queuePosition
          pollAfterSeconds
          reference
          result {
            url
            urlExpiresAt
            mimeType
            sizeBytes
            durationSeconds
            deletedAt
          }
          error {
            code
            reason
            message
          }
          apiKey {
            id
            name
          }
          startedBy {
            name
          }
        }
        lookedBackTo
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`
