/** The rows of the first page. */
export const historyPageRows = 25

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
          }
          error {
            message
          }
          apiKey {
            id
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
