import { useEffect, useEffectEvent, useState } from 'react'
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

/** The pages after the first, with the first page that they continue. */
type Later<Row> = { of: string; first: Page<Row> | undefined; pages: Page<Row>[]; loading: boolean; failure: Failure | undefined }

/** A paged list. When urql updates the first page, all loaded pages are read again. A change of filters drops the later pages. */
export function usePagedQuery<Data, Variables extends AnyVariables & { after?: string | null }, Row>(
  options: PagedQueryOptions<Data, Variables, Row>,
) {
  const { query, variables, pageOf, pause = false, context } = options
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query, variables, pause, ...(context ? { context } : {}) })
  const first = data === undefined ? undefined : (pageOf(data) ?? undefined)
  const { pages, loading, failure, loadMore } = useLaterPages(options, first)
  return {
    rows: first && pages.flatMap(({ nodes }) => nodes),
    /** True while nothing is loaded. */
    isLoading: first === undefined && (fetching || pause),
    /** True while the loaded rows are refetched. */
    isRefreshing: stale || (fetching && first !== undefined),
    failure: error ? failureOf(error) : failure,
    hasMore: pages.at(-1)?.pageInfo.hasNextPage ?? false,
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
  const of = JSON.stringify(variables)
  const none: Later<Row> = { of, first, pages: [], loading: false, failure: undefined }
  const [kept, setKept] = useState(none)
  const later = kept.of === of ? kept : none
  const change = (changed: Partial<Later<Row>>) => setKept((now) => (now.of === of ? { ...now, ...changed } : now))

  const read = async ({ pageInfo }: Page<Row>) => {
    const wanted = { ...variables, after: pageInfo.endCursor }
    const { data, error } = await client.query(query, wanted, { requestPolicy: 'network-only' }).toPromise()
    return { page: data === undefined ? undefined : (pageOf(data) ?? undefined), failure: error && failureOf(error) }
  }
  const loadMore = async () => {
    const last = later.pages.at(-1) ?? first
    if (!last?.pageInfo.hasNextPage || later.loading) return
    setKept({ ...later, first: later.pages.length > 0 ? later.first : first, loading: true, failure: undefined })
    const { page, failure } = await read(last)
    setKept((now) => {
      if (now.of !== of) return now
      // After a re-read of the list, this page continues a page that is no longer shown.
      const continues = (now.pages.at(-1) ?? now.first) === last
      return { ...now, pages: page && continues ? [...now.pages, page] : now.pages, loading: false, failure }
    })
  }
  const readPages = async (current: Page<Row>, wanted: () => number): Promise<Partial<Later<Row>>> => {
    const pages: Page<Row>[] = []
    for (let last = current; pages.length < wanted() && last.pageInfo.hasNextPage; ) {
      const { page, failure } = await read(last)
      if (!page) return { failure }
      pages.push(page)
      last = page
    }
    return { first: current, pages, failure: undefined }
  }
  const loadedPages = useEffectEvent(() => later.pages.length)
  const readAllPages = useEffectEvent((current: Page<Row>) => readPages(current, loadedPages))
  const replacePages = useEffectEvent(change)
  const isBehind = later.pages.length > 0 && later.first !== first
  // The old pages are shown until all new ones are read, so that no row is repeated or left out.
  useEffect(() => {
    let isCancelled = false
    const readAgain = async () => {
      if (!first || !isBehind) return
      const read = await readAllPages(first)
      if (!isCancelled) replacePages(read)
    }
    void readAgain()
    return () => {
      isCancelled = true
    }
  }, [first, of, isBehind])
  const shown = later.pages.length > 0 ? later.first : first
  return { ...later, pages: shown ? [shown, ...later.pages] : [], loadMore }
}
