import { useCallback, useEffect, useMemo, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../../api/failure.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { isOpen } from './generationLabels.ts'
import type { HistoryPage, HistoryRow, HistoryVariables } from './historyQuery.ts'
import { readHistoryPage, readRows } from './readHistoryPage.ts'

/** The least pause between two looks at what is open. */
const pollSecondsMin = 2
/** Open rows that are farther down than the first page are asked for one by one: so many of them. */
const singlePollsMax = 10

type Loaded = {
  /** The filters that it came by. */
  of: HistoryVariables
  rows: HistoryRow[]
  /** What came since, and waits to be shown. */
  newer: HistoryRow[]
  page: Pick<HistoryPage, 'pageInfo' | 'lookedBackTo'>
}

/**
 * The history that fits, page by page. While anything in it is open it looks again by itself, and changes rows where they stand; what is
 * new waits in `newer`, so that nothing moves below somebody's hand.
 */
export function useHistory(asked: HistoryVariables) {
  const client = useClient()
  const written = JSON.stringify(asked)
  const of = useMemo(() => JSON.parse(written) as HistoryVariables, [written])
  const [loaded, setLoaded] = useState<Loaded>()
  const [failed, setFailed] = useState<{ of: HistoryVariables; failure: Failure }>()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [loads, setLoads] = useState(1)
  const change = useCallback((told: (now: Loaded) => Loaded) => setLoaded((now) => now && told(now)), [])

  useEffect(() => {
    let isOver = false
    const load = async () => {
      const { page, failure } = await readHistoryPage(client, of)
      if (isOver) return
      setFailed(failure && { of, failure })
      if (page) setLoaded({ of, rows: page.nodes, newer: [], page })
    }
    if (loads > 0) void load()
    return () => {
      isOver = true
    }
  }, [client, of, loads])

  const shown = loaded?.of === of ? loaded : undefined
  const loadMore = async () => {
    if (!shown || isLoadingMore) return
    setLoadingMore(true)
    const { page, failure } = await readHistoryPage(client, of, { after: shown.page.pageInfo.endCursor })
    setLoadingMore(false)
    setFailed(failure && { of, failure })
    if (page) change((now) => (now.of === of ? { ...now, rows: [...now.rows, ...page.nodes], page } : now))
  }

  const open = shown?.rows.filter(isOpen) ?? []
  usePollWhileVisible(pauseFor(open), async () => {
    const { page } = await readHistoryPage(client, of, { pagesMax: 1 })
    const first = page?.nodes ?? []
    const told = new Set(first.map(({ generationId }) => generationId))
    const alone = open.filter(({ generationId }) => !told.has(generationId)).slice(0, singlePollsMax)
    const others = await readRows(client, of.teamId, alone)
    change((now) => (now.of === of ? refreshed(now, first, others) : now))
  })

  return {
    /** Of the filters before, while the first page of new ones is on its way. */
    rows: loaded?.rows,
    isStale: loaded !== shown,
    ...endOf(shown),
    failure: failed?.of === of ? failed.failure : undefined,
    isLoadingMore,
    loadMore: () => void loadMore(),
    reload: () => setLoads((count) => count + 1),
    showNewer: () => change((now) => ({ ...now, rows: [...now.newer, ...now.rows], newer: [] })),
    /** Tells one of the rows anew. */
    tell: useCallback((row: HistoryRow) => change((now) => ({ ...now, rows: changed(now.rows, [row]) })), [change]),
  }
}

/** Until the next look, in seconds; undefined where nothing goes on. */
function pauseFor(open: readonly HistoryRow[]): number | undefined {
  if (open.length === 0) return undefined
  return Math.max(pollSecondsMin, Math.min(...open.map(({ pollAfterSeconds }) => pollAfterSeconds ?? pollSecondsMin)))
}

function endOf(shown: Loaded | undefined) {
  if (!shown) return { newer: [], hasMore: false, lookedBackTo: null }
  const { newer, page } = shown
  return { newer, hasMore: page.pageInfo.hasNextPage, lookedBackTo: page.lookedBackTo }
}

/** Rows as they are now, each where it stands. */
function changed(rows: HistoryRow[], told: readonly HistoryRow[]): HistoryRow[] {
  const byId = new Map(told.map((row) => [row.generationId, row]))
  return rows.map((row) => byId.get(row.generationId) ?? row)
}

function refreshed(now: Loaded, first: HistoryRow[], others: HistoryRow[]): Loaded {
  const [newest] = now.rows
  // Below nothing there is nothing to move.
  if (newest === undefined) return { ...now, rows: first }
  return {
    ...now,
    rows: changed(now.rows, [...first, ...others]),
    newer: first.filter(({ generationId }) => generationId > newest.generationId),
  }
}
