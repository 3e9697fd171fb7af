import { useEffect, useEffectEvent } from 'react'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'

const WebhookNamesQuery = graphql(`
  query WebhookNames($team: ID!, $after: String) {
    team(id: $team) {
      id
      webhookSubscriptions(first: 50, after: $after, withDeleted: true) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          address
          deletedAt
        }
      }
    }
  }
`)

const context = { additionalTypenames: ['WebhookSubscription'] }
/** The filter lists no more webhooks. */
const namesMax = 300

/** The team's webhooks for the filter, deleted ones last; `undefined` while loading. */
export function useWebhookNames() {
  const team = useTeam()
  const { rows, hasMore, isLoadingMore, loadMore, failure } = usePagedQuery({
    query: WebhookNamesQuery,
    variables: { team: team.id },
    pageOf: (data) => data.team?.webhookSubscriptions,
    context,
  })
  const loadsMore = hasMore && !isLoadingMore && failure === undefined && (rows?.length ?? 0) < namesMax
  const loadNext = useEffectEvent(loadMore)
  useEffect(() => {
    if (loadsMore) loadNext()
  }, [loadsMore, rows?.length])
  if (rows === undefined) return { options: [], hasAny: undefined }
  const ordered = rows.toSorted((one, other) => Number(one.deletedAt !== null) - Number(other.deletedAt !== null))
  const sameName = (address: string) => rows.filter((row) => row.address === address).length > 1
  const options = ordered.map(({ id, address, deletedAt }) => ({
    value: id,
    label: [address, sameName(address) ? `…${id.slice(-6)}` : '', deletedAt === null ? '' : '(deleted)'].filter(Boolean).join(' '),
  }))
  return { options, hasAny: rows.some(({ deletedAt }) => deletedAt === null) }
}
