import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../api/graphql.ts'
import type { HistoryRow, HistoryVariables } from './historyQuery.ts'

const HistoryCountQuery = graphql(`
  query HistoryCount(
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
  ) {
    team(id: $teamId) {
      id
      generationCount(
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
      ) {
        count
        isComplete
      }
    }
  }
`)
const figures = new Intl.NumberFormat()

export type HistoryCountProps = {
  variables: HistoryVariables
  /** The loaded rows. They are counted here unless the server has more. */
  rows: readonly HistoryRow[]
  hasMore: boolean
}

/** How many generations match the filters. Empty until it is known, or when it fails. */
export function HistoryCount({ variables, rows, hasMore }: HistoryCountProps) {
  const newest = rows[0]?.generationId
  // A new context makes the query run again.
  const context = useMemo(() => ({ newest, requestPolicy: 'network-only' as const }), [newest])
  const [{ data }] = useQuery({ query: HistoryCountQuery, variables, pause: !hasMore, context })
  const counted = hasMore ? data?.team?.generationCount : { count: rows.length, isComplete: true }
  if (rows.length === 0) return null
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {counted && wordsOf(counted)}
    </Text>
  )
}

function wordsOf({ count, isComplete }: { count: number; isComplete: boolean }): string {
  const words = `${figures.format(count)} ${count === 1 ? 'generation' : 'generations'}`
  return isComplete ? words : `At least ${words}`
}
