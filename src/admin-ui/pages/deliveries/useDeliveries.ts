import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../../api/failure.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { type DeliveryPage, type DeliveryVariables, readPage } from './deliveriesQuery.ts'
import { countNew, type DeliveryList, listOf, withFirstPage, withNextPage, withUpdates } from './deliveryList.ts'

/** Between two looks at what is open or live. */
export const pollSeconds = 2.5

type Shown = {
  /** Of which filters it is. */
  of: string
  list: DeliveryList | undefined
  /** Came while the reader was busy, and is shown when they like. */
  held: DeliveryPage | undefined
  loadingMore: boolean
  failure: Failure | undefined
  /** For screen readers: how many are new, told with each that came. */
  said: string
}

export type DeliveriesOptions = {
  variables: DeliveryVariables
  /** New rows appear by themselves. */
  live: boolean
  /** Whether the rows must not move now. */
  isBusy(): boolean
}

/** The delivery log under some filters, page by page. What is still open is looked at again, also while nothing is live. */
export function useDeliveries({ variables, live, isBusy }: DeliveriesOptions) {
  const client = useClient()
  const of = JSON.stringify(variables)
  const none: Shown = { of, list: undefined, held: undefined, loadingMore: false, failure: undefined, said: '' }
  const [kept, setKept] = useState(none)
  const shown = kept.of === of ? kept : none
  const asked = useRef(of)
  /** What was asked under other filters comes too late. */
  const change = (next: (now: Shown) => Partial<Shown>) => {
    if (asked.current !== of) return
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
  const pollFirstPage = async () => {
    const page = await read(null)
    const isHeld = isBusy()
    change((now) => ('code' in page ? { failure: page } : mergeFirstPage(now, page, { live, isHeld })))
  }

  const firstRead = useEffectEvent(readFirst)
  useEffect(() => {
    asked.current = of
    void firstRead()
  }, [of])
  const isOpen = shown.list?.rows.some(({ state }) => state === 'PENDING' || state === 'RETRYING') ?? false
  usePollWhileVisible(live || isOpen ? pollSeconds : undefined, pollFirstPage)

  return {
    rows: shown.list?.rows,
    isLoading: shown.list === undefined && shown.failure === undefined,
    hasMore: shown.list?.hasMore ?? false,
    isLoadingMore: shown.loadingMore,
    failure: shown.failure,
    newCount: shown.list && shown.held ? countNew(shown.list, shown.held) : 0,
    said: shown.said,
    loadMore: () => void readMore(),
    reload: () => void readFirst(),
    pollFirstPage: () => void pollFirstPage(),
    showNew: () => change(({ list, held }) => (list && held ? { list: withFirstPage(list, held), held: undefined } : {})),
  }
}

/** What a look at the first page changes. Without `live` nothing new appears; while `isHeld` it waits. */
function mergeFirstPage({ list, said }: Shown, page: DeliveryPage, { live, isHeld }: { live: boolean; isHeld: boolean }): Partial<Shown> {
  if (!list) return { list: listOf(page), failure: undefined }
  const count = live ? countNew(list, page) : 0
  const told = { failure: undefined, said: count > 0 ? formatNewCount(count) : said }
  if (live && !isHeld) return { ...told, list: withFirstPage(list, page), held: undefined }
  return { ...told, list: withUpdates(list, page), held: count > 0 ? page : undefined }
}

export function formatNewCount(count: number): string {
  return count === 1 ? '1 new delivery' : `${count} new deliveries`
}
