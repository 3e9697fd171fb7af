import { startTransition, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useNavigationType } from 'react-router'
import { type Client, useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { isOpen } from './generationLabels.ts'
import { historyPageRows, laterPageRows } from './historyDocument.ts'
import { GenerationQuery, type HistoryPage, HistoryQuery, type HistoryRow, type HistoryVariables } from './historyQuery.ts'

/** The minimum polling interval. */
const pollSecondsMin = 2
/** The maximum number of open rows below the first page that are polled one by one. */
const singlePollsMax = 10
const readsAtOnce = 10

type Loaded = {
  /** The filters of the loaded rows. */
  filters: HistoryVariables
  rows: HistoryRow[]
  /** New rows that are not shown yet. */
  newer: HistoryRow[]
  page: LastPage
}

/** `isShort`: it has fewer rows than requested. Then the history ended, or the search stopped at its bound. */
type LastPage = Pick<HistoryPage, 'pageInfo' | 'lookedBackTo'> & { isShort: boolean }

/** The history list that was shown last. Back restores its rows, so that the page keeps its position. */
let lastShown: { serialized: string; loaded: Loaded } | undefined

/**
 * Loads the filtered history page by page. While shown generations are open, it polls and updates their rows in place. New rows are
 * collected in `newer`, so that rows do not move while the user reads.
 */
export function useHistory(requested: HistoryVariables) {
  const client = useClient()
  const serialized = JSON.stringify(requested)
  const filters = useMemo(() => JSON.parse(serialized) as HistoryVariables, [serialized])
  const { loaded, setLoaded, isRestored } = useRestorableList(serialized, filters)
  const [failed, setFailed] = useState<{ filters: HistoryVariables; failure: Failure }>()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [loads, setLoads] = useState(isRestored ? 0 : 1)
  const updateLoaded = useCallback((update: (now: Loaded) => Loaded) => setLoaded((now) => now && update(now)), [setLoaded])

  useEffect(() => {
    let isCancelled = false
    const load = async () => {
      const { page, failure } = await readHistoryPage(client, filters)
      if (isCancelled) return
      setFailed(failure && { filters, failure })
      // Rendered in short tasks, because a page of rows is large.
      if (page) startTransition(() => setLoaded({ filters, rows: page.nodes, newer: [], page }))
    }
    if (loads > 0) void load()
    return () => {
      isCancelled = true
    }
  }, [client, filters, loads, setLoaded])

  const shown = loaded?.filters === filters ? loaded : undefined
  const loadMore = async () => {
    if (!shown || isLoadingMore) return
    setLoadingMore(true)
    const { page, failure } = await readHistoryPage(client, filters, { after: shown.page.pageInfo.endCursor, rows: laterPageRows })
    setLoadingMore(false)
    setFailed(failure && { filters, failure })
    if (page) updateLoaded((now) => (now.filters === filters ? { ...now, rows: [...now.rows, ...page.nodes], page } : now))
  }

  const open = shown?.rows.filter(isOpen) ?? []
  const refresh = async () => {
    const { page } = await readHistoryPage(client, filters, { requestsMax: 1 })
    const first = page?.nodes ?? []
    const firstIds = new Set(first.map(({ generationId }) => generationId))
    const others = open.filter(({ generationId }) => !firstIds.has(generationId)).slice(0, singlePollsMax)
    const otherRows = await readRows(client, filters.teamId, others)
    updateLoaded((now) => (now.filters === filters ? mergeFirstPage(now, first, otherRows) : now))
  }
  usePollWhileVisible(pollInterval(open), refresh)
  useOnce(isRestored, refresh)

  return {
    /** After a change of filters: the previous rows, until the first page is loaded. */
    rows: loaded?.rows,
    isStale: loaded !== shown,
    ...pageState(shown),
    failure: failed?.filters === filters ? failed.failure : undefined,
    isLoadingMore,
    loadMore: () => void loadMore(),
    reload: () => setLoads((count) => count + 1),
    showNewer: () => updateLoaded((now) => ({ ...now, rows: [...now.newer, ...now.rows], newer: [] })),
    /** Reads rows again, and updates them in place. */
    refreshRows: async (stale: readonly HistoryRow[]) => {
      const current = await readRows(client, filters.teamId, stale)
      updateLoaded((now) => ({ ...now, rows: replaceRows(now.rows, current) }))
    },
    /** Updates one row. */
    replaceRow: useCallback((row: HistoryRow) => updateLoaded((now) => ({ ...now, rows: replaceRows(now.rows, [row]) })), [updateLoaded]),
  }
}

/** The loaded rows. Back to the list that was shown last restores its rows. */
function useRestorableList(serialized: string, filters: HistoryVariables) {
  const isBack = useNavigationType() === 'POP'
  const [restored] = useState(isBack && lastShown?.serialized === serialized ? lastShown.loaded : undefined)
  const [loaded, setLoaded] = useState<Loaded | undefined>(restored && { ...restored, filters })
  useEffect(() => {
    if (loaded?.filters === filters) lastShown = { serialized, loaded }
  }, [serialized, filters, loaded])
  return { loaded, setLoaded, isRestored: restored !== undefined }
}

/** Runs `work` after the first render, if it is wanted then. */
function useOnce(isWanted: boolean, work: () => Promise<void>): void {
  const run = useEffectEvent(() => void work())
  const [wanted] = useState(isWanted)
  useEffect(() => {
    if (wanted) run()
  }, [wanted])
}

/** The polling interval in seconds; undefined when no generation is open. */
function pollInterval(open: readonly HistoryRow[]): number | undefined {
  if (open.length === 0) return undefined
  return Math.max(pollSecondsMin, Math.min(...open.map(({ pollAfterSeconds }) => pollAfterSeconds ?? pollSecondsMin)))
}

function pageState(shown: Loaded | undefined) {
  if (!shown) return { newer: [], hasMore: false, isSearchCut: false, lookedBackTo: null }
  const { newer, page } = shown
  const hasMore = page.pageInfo.hasNextPage
  return { newer, hasMore, isSearchCut: hasMore && page.isShort, lookedBackTo: page.lookedBackTo }
}

/** Replaces rows with their current state, in place. */
function replaceRows(rows: HistoryRow[], current: readonly HistoryRow[]): HistoryRow[] {
  const byId = new Map(current.map((row) => [row.generationId, row]))
  return rows.map((row) => byId.get(row.generationId) ?? row)
}

function mergeFirstPage(now: Loaded, first: HistoryRow[], others: HistoryRow[]): Loaded {
  const [newest] = now.rows
  // The list is empty, so new rows move nothing and are shown at once.
  if (newest === undefined) return { ...now, rows: first }
  return {
    ...now,
    rows: replaceRows(now.rows, [...first, ...others]),
    newer: first.filter(({ generationId }) => generationId > newest.generationId),
  }
}

type ReadOptions = { after?: string | null | undefined; requestsMax?: number; rows?: number }

/** How many requests one load makes. A request of a search passes 500 rows, of combined filters 2,250. */
const requestsMax = 10

type Answer = { page: (LastPage & { nodes: HistoryRow[] }) | undefined; failure: Failure | undefined }

/** Reads until the page is full, the history ends, or it has made `max` requests: a filtered answer may have few rows or none. */
async function readHistoryPage(
  client: Client,
  variables: HistoryVariables,
  { after = null, requestsMax: max = requestsMax, rows = historyPageRows }: ReadOptions = {},
): Promise<Answer> {
  const nodes: HistoryRow[] = []
  let from = after
  for (let requests = 1; ; requests += 1) {
    const wanted = { ...variables, first: rows - nodes.length, after: from }
    const { data, error } = await client.query(HistoryQuery, wanted, { requestPolicy: 'network-only' }).toPromise()
    const page = data?.team?.generations
    if (!page) return { page: undefined, failure: error && failureOf(error) }
    nodes.push(...page.nodes)
    from = page.pageInfo.endCursor
    const isShort = nodes.length < rows
    if (!isShort || !page.pageInfo.hasNextPage || requests >= max) return { page: { ...page, nodes, isShort }, failure: undefined }
  }
}

/** Reads the current state of the rows that are accessible, a few at a time: bulk actions concern up to all loaded rows. */
async function readRows(client: Client, teamId: string, rows: readonly HistoryRow[]): Promise<HistoryRow[]> {
  const read = async ({ generationId: id }: HistoryRow) =>
    (await client.query(GenerationQuery, { teamId, id }, { requestPolicy: 'network-only' }).toPromise()).data?.team?.generation
  const current: (HistoryRow | null | undefined)[] = []
  while (current.length < rows.length) {
    current.push(...(await Promise.all(rows.slice(current.length, current.length + readsAtOnce).map(read))))
  }
  return current.filter((row) => row !== undefined && row !== null)
}
