import { useEffect, useEffectEvent } from 'react'
import type { AnyVariables } from 'urql'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { type PagedQueryOptions, usePagedQuery } from '../../ui/table/usePagedQuery.ts'

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

const AlertNamesQuery = graphql(`
  query AlertNames($team: ID!, $after: String) {
    team(id: $team) {
      id
      alertSubscriptions(first: 50, after: $after, withDeleted: true) {
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

const webhooksContext = { additionalTypenames: ['WebhookSubscription'] }
const alertsContext = { additionalTypenames: ['AlertSubscription'] }
/** The filter lists no more of each kind. */
const optionsMax = 300

type Named = { id: string; address: string; deletedAt: unknown }

/**
 * The team's webhooks and subscriptions to alerts for the filter, deleted ones last; without options while loading. `hasAny`: whether the team
 * has a webhook.
 */
export function useReceiverOptions() {
  const variables = { team: useTeam().id }
  const webhooks = useAllRows({
    query: WebhookNamesQuery,
    variables,
    pageOf: (data) => data.team?.webhookSubscriptions,
    context: webhooksContext,
  })
  const alerts = useAllRows({ query: AlertNamesQuery, variables, pageOf: (data) => data.team?.alertSubscriptions, context: alertsContext })
  return {
    options: [...optionsOf(webhooks ?? [], ''), ...optionsOf(alerts ?? [], 'Alerts to ')],
    hasAny: webhooks?.some(({ deletedAt }) => deletedAt === null),
  }
}

/** Loads page after page. */
function useAllRows<Data, Variables extends AnyVariables & { after?: string | null }, Row>(
  options: PagedQueryOptions<Data, Variables, Row>,
): Row[] | undefined {
  const { rows, hasMore, isLoadingMore, loadMore, failure } = usePagedQuery(options)
  const loadsMore = hasMore && !isLoadingMore && failure === undefined && (rows?.length ?? 0) < optionsMax
  const loadNext = useEffectEvent(loadMore)
  useEffect(() => {
    if (loadsMore) loadNext()
  }, [loadsMore, rows?.length])
  return rows
}

function optionsOf(rows: readonly Named[], prefix: string): { value: string; label: string }[] {
  const ordered = rows.toSorted((one, other) => Number(one.deletedAt !== null) - Number(other.deletedAt !== null))
  const sameName = (address: string) => rows.filter((row) => row.address === address).length > 1
  return ordered.map(({ id, address, deletedAt }) => ({
    value: id,
    label: [prefix + address, sameName(address) ? `…${id.slice(-6)}` : '', deletedAt === null ? '' : '(deleted)'].filter(Boolean).join(' '),
  }))
}
