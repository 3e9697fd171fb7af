import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../../api/failure.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { type Delivery, type DeliveryPage, type DeliveryVariables, readPage, readRows } from './deliveriesQuery.ts'
import { countNew, type DeliveryList, listOf, withFirstPage, withNextPage, withUpdates } from './deliveryList.ts'

/** The polling interval for open deliveries and live mode. */
export const pollSeconds = 2.5
/** The maximum number of open rows below the first page that are polled one by one. */
const singlePollsMax = 10

type Shown = {
  /** The filters that the list belongs to. */
  of: string
  list: DeliveryList | undefined
  /** New rows that arrived while the reader was busy. */
  held: DeliveryPage | undefined
  loadingMore: boolean
  failure: Failure | undefined
  /** The number of new rows, announced to screen readers. */
  announcement: string
}

export type DeliveriesOptions = {
  variables: DeliveryVariables
  /** Shows new rows automatically. */
  live: boolean
  /** True while rows must not move. */
  isBusy(): boolean
}

/** The filtered delivery log, page by page. Open deliveries are polled even without live mode. */
export function useDeliveries({ variables, live, isBusy }: DeliveriesOptions) {
  const client = useClient()
  const of = JSON.stringify(variables)
  const none: Shown = { of, list: undefined, held: undefined, loadingMore: false, failure: undefined, announcement: '' }
  const [kept, setKept] = useState(none)
  const shown = kept.of === of ? kept : none
  const requestedFor = useRef(of)
  /** Answers for earlier filters are ignored. */
  const change = (next: (now: Shown) => Partial<Shown>) => {
    if (requestedFor.current !== of) return
    setKept((now) => {
      const present = now.of === of ? now : none
      return { ...present, ...next(present) }
    })
  }

  const read = (after: string | null) => readPage(client, variables, after)
  const readFirst = async () => {
    const page = await read(null)
    change(() => ('code' in page ? { failure: page } : { list: listOf(page), held: undefined, failure: undefined }))
  }
  const readMore = async () => {
    const { list } = shown
    if (!list?.hasMore || shown.loadingMore) return
    change(() => ({ loadingMore: true, failure: undefined }))
    const page = await read(list.endCursor)
    change((now) => {
      if ('code' in page) return { loadingMore: false, failure: page }
      return { loadingMore: false, list: now.list && withNextPage(now.list, page) }
    })
  }
  const updateRows = async (ids: readonly string[]) => {
    const current = await readRows(client, ids)
    change(({ list }) => (list ? { list: withUpdates(list, current) } : {}))
  }
  const poll = async () => {
    const page = await read(null)
    const isHeld = isBusy()
    change((now) => ('code' in page ? { failure: page } : mergeFirstPage(now, page, { live, isHeld })))
    if (!('code' in page)) await updateRows(openRowsBelow(shown.list, page))
  }

  const firstRead = useEffectEvent(readFirst)
  useEffect(() => {
    requestedFor.current = of
    void firstRead()
  }, [of])
  usePollWhileVisible(live || shown.list?.rows.some(isOpenDelivery) ? pollSeconds : undefined, poll)

  return {
    rows: shown.list?.rows,
    isLoading: shown.list === undefined && shown.failure === undefined,
    hasMore: shown.list?.hasMore ?? false,
    isLoadingMore: shown.loadingMore,
    failure: shown.failure,
    newCount: shown.list && shown.held ? countNew(shown.list, shown.held) : 0,
    announcement: shown.announcement,
    loadMore: () => void readMore(),
    reload: () => void readFirst(),
    /** Reads one row again. */
    updateRow: (id: string) => void updateRows([id]),
    showNew: () => change(({ list, held }) => (list && held ? { list: withFirstPage(list, held), held: undefined } : {})),
  }
}

/** Returns the first open rows that are not on the first page, at most {@link singlePollsMax}. */
function openRowsBelow(list: DeliveryList | undefined, page: DeliveryPage): string[] {
  const covered = new Set(page.nodes.map(({ id }) => id))
  const below = (list?.rows ?? []).filter((row) => isOpenDelivery(row) && !covered.has(row.id))
  return below.slice(0, singlePollsMax).map(({ id }) => id)
}

function isOpenDelivery({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'PENDING' || state === 'RETRYING'
}

/** Merges the current first page. Without `live` no new rows are added; while `isHeld` they are only counted. */
function mergeFirstPage(
  { list, announcement }: Shown,
  page: DeliveryPage,
  { live, isHeld }: { live: boolean; isHeld: boolean },
): Partial<Shown> {
  if (!list) return { list: listOf(page), failure: undefined }
  const count = live ? countNew(list, page) : 0
  const change = { failure: undefined, announcement: count > 0 ? formatNewCount(count) : announcement }
  if (live && !isHeld) return { ...change, list: withFirstPage(list, page), held: undefined }
  return { ...change, list: withUpdates(list, page.nodes), held: count > 0 ? page : undefined }
}

export function formatNewCount(count: number): string {
  return count === 1 ? '1 new delivery' : `${count} new deliveries`
}
