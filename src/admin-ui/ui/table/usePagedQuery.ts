import { useState } from 'react'
import { type AnyVariables, type OperationContext, type TypedDocumentNode, useClient, useQuery } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'

type Page<Row> = { nodes: readonly Row[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

export type PagedQueryOptions<Data, Variables extends AnyVariables & { after?: string | null }, Row> = {
  /** Has the variable `$after`. */
  query: TypedDocumentNode<Data, Variables>
  variables: Variables
  /** The page in the answer; `undefined` if there is none. */
  pageOf(data: Data): Page<Row> | null | undefined
  pause?: boolean
  /** Must be the same object in every render: define it at module level. */
  context?: Partial<OperationContext>
}

type Later<Row> = { of: string; pages: Page<Row>[]; loading: boolean; failure: Failure | undefined }

/** A paged list. urql keeps the first page up to date; later pages are dropped when it or the filters change. */
export function usePagedQuery<Data, Variables extends AnyVariables & { after?: string | null }, Row>(
  options: PagedQueryOptions<Data, Variables, Row>,
) {
  const { query, variables, pageOf, pause = false, context } = options
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query, variables, pause, ...(context ? { context } : {}) })
  const first = data === undefined ? undefined : (pageOf(data) ?? undefined)
  const { pages, loading, failure, loadMore } = useLaterPages(options, first)
  const last = pages.at(-1) ?? first
  return {
    rows: first && [first, ...pages].flatMap(({ nodes }) => nodes),
    /** True while nothing is loaded. */
    isLoading: first === undefined && (fetching || pause),
    /** True while the loaded rows are refetched. */
    isRefreshing: stale || (fetching && first !== undefined),
    failure: error ? failureOf(error) : failure,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    isLoadingMore: loading,
    loadMore: () => void loadMore(),
    reload: () => refetch({ requestPolicy: 'network-only' }),
  }
}

function useLaterPages<Data, Variables extends AnyVariables & { after?: string | null }, Row>(
  { query, variables, pageOf }: PagedQueryOptions<Data, Variables, Row>,
  first: Page<Row> | undefined,
) {
  const client = useClient()
  const of = JSON.stringify([variables, first?.pageInfo.endCursor])
  const none: Later<Row> = { of, pages: [], loading: false, failure: undefined }
  const [kept, setKept] = useState(none)
  const later = kept.of === of ? kept : none

  const loadMore = async () => {
    const { hasNextPage = false, endCursor = null } = (later.pages.at(-1) ?? first)?.pageInfo ?? {}
    if (!hasNextPage || later.loading) return
    setKept({ ...later, loading: true, failure: undefined })
    const answer = await client.query(query, { ...variables, after: endCursor }, { requestPolicy: 'network-only' }).toPromise()
    const page = answer.data === undefined ? undefined : pageOf(answer.data)
    const failure = answer.error && failureOf(answer.error)
    setKept((now) => (now.of === of ? { of, pages: page ? [...later.pages, page] : later.pages, loading: false, failure } : now))
  }
  return { ...later, loadMore }
}
