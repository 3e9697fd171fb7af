import { useCallback, useEffect, useMemo, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../../api/failure.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { isOpen } from './generationLabels.ts'
import type { HistoryPage, HistoryRow, HistoryVariables } from './historyQuery.ts'
import { readHistoryPage, readRows } from './readHistoryPage.ts'

/** The minimum polling interval. */
const pollSecondsMin = 2
/** The maximum number of open rows below the first page that are polled one by one. */
const singlePollsMax = 10

type Loaded = {
  /** The filters of the loaded rows. */
  of: HistoryVariables
  rows: HistoryRow[]
  /** New rows that are not shown yet. */
  newer: HistoryRow[]
  page: Pick<HistoryPage, 'pageInfo' | 'lookedBackTo'>
}

/**
 * The filtered history, page by page. While rows are open it polls and updates them in place. New rows wait in `newer`, so that rows do
 * not move while the user reads.
 */
export function useHistory(asked: HistoryVariables) {
  const client = useClient()
  const written = JSON.stringify(asked)
  const of = useMemo(() => JSON.parse(written) as HistoryVariables, [written])
  const [loaded, setLoaded] = useState<Loaded>()
  const [failed, setFailed] = useState<{ of: HistoryVariables; failure: Failure }>()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [loads, setLoads] = useState(1)
  const change = useCallback((update: (now: Loaded) => Loaded) => setLoaded((now) => now && update(now)), [])

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
    const firstIds = new Set(first.map(({ generationId }) => generationId))
    const others = open.filter(({ generationId }) => !firstIds.has(generationId)).slice(0, singlePollsMax)
    const otherRows = await readRows(client, of.teamId, others)
    change((now) => (now.of === of ? refreshed(now, first, otherRows) : now))
  })

  return {
    /** The rows of the previous filters, while the first page of new ones loads. */
    rows: loaded?.rows,
    isStale: loaded !== shown,
    ...endOf(shown),
    failure: failed?.of === of ? failed.failure : undefined,
    isLoadingMore,
    loadMore: () => void loadMore(),
    reload: () => setLoads((count) => count + 1),
    showNewer: () => change((now) => ({ ...now, rows: [...now.newer, ...now.rows], newer: [] })),
    /** Updates one row. */
    tell: useCallback((row: HistoryRow) => change((now) => ({ ...now, rows: changed(now.rows, [row]) })), [change]),
  }
}

/** The polling interval in seconds; undefined when nothing is open. */
function pauseFor(open: readonly HistoryRow[]): number | undefined {
  if (open.length === 0) return undefined
  return Math.max(pollSecondsMin, Math.min(...open.map(({ pollAfterSeconds }) => pollAfterSeconds ?? pollSecondsMin)))
}

function endOf(shown: Loaded | undefined) {
  if (!shown) return { newer: [], hasMore: false, lookedBackTo: null }
  const { newer, page } = shown
  return { newer, hasMore: page.pageInfo.hasNextPage, lookedBackTo: page.lookedBackTo }
}

/** Replaces rows with their current state, in place. */
function changed(rows: HistoryRow[], current: readonly HistoryRow[]): HistoryRow[] {
  const byId = new Map(current.map((row) => [row.generationId, row]))
  return rows.map((row) => byId.get(row.generationId) ?? row)
}

function refreshed(now: Loaded, first: HistoryRow[], others: HistoryRow[]): Loaded {
  const [newest] = now.rows
  // An empty list has no rows that could move.
  if (newest === undefined) return { ...now, rows: first }
  return {
    ...now,
    rows: changed(now.rows, [...first, ...others]),
    newer: first.filter(({ generationId }) => generationId > newest.generationId),
  }
}
