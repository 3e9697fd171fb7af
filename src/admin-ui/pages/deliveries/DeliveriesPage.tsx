import { Button, Switch, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { ExportButton } from '../../ui/table/ExportButton.tsx'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { MomentRangeFilter } from '../../ui/table/RangeFilters.tsx'
import { momentRangeKinds, noMomentRange, queriedMoments, useFrozenNow } from '../../ui/table/timeRange.ts'
import { type Filters, idFilter, oneOf, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { allEvents, eventNames } from '../webhooks/eventNames.ts'
import classes from './DeliveriesPage.module.css'
import { DeliveryPanel } from './DeliveryPanel.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { csvHeader, readRows } from './exportDeliveries.ts'
import { NoDeliveries } from './NoDeliveries.tsx'
import { formatNewCount, useDeliveries } from './useDeliveries.ts'
import { kindsOfFilter, useKindOptions } from './useKindOptions.ts'
import { useReceiverOptions } from './useReceiverOptions.ts'
import { focusRow, useRowShortcuts } from './useRowShortcuts.ts'

/** The delivery log of a team's webhooks. Contract: docs/contract.md#pages. */
export function DeliveriesPage() {
  const team = useTeam()
  const client = useClient()
  const [{ delivery: openId, live, ...filters }, setFilters] = useUrlFilters(deliveryFilters, 'delivery')
  // The URL follows the switch with a delay.
  const [isLive, setIsLive] = useState(live === 'on')
  const switchLive = (on: boolean) => {
    setIsLive(on)
    setFilters({ live: on ? 'on' : undefined })
  }
  const { state, webhook, event } = filters
  const now = useFrozenNow(filters.period)
  const kind = webhook === undefined ? undefined : kindsOfFilter[webhook]
  const receiver = kind === undefined ? { webhook } : { kind }
  const variables = { team: team.id, ...receiver, state, event, ...queriedMoments(filters, now) }
  const { area, isBusy } = useReaderActivity<HTMLDivElement>()
  const log = useDeliveries({ variables, live: isLive, isBusy })
  const receivers = useReceiverOptions()
  const kinds = useKindOptions()
  const open = (id: string | undefined) => setFilters({ delivery: id })
  useRowShortcuts({ ids: (log.rows ?? []).map(({ id }) => id), openId, onOpen: open, onEnd: log.loadMore })

  return (
    <>
      <PageHeading
        title="Deliveries"
        description={descriptions.deliveries}
        actions={
          <>
            <Switch label="Live" checked={isLive} onChange={({ currentTarget }) => switchLive(currentTarget.checked)} mr="xs" />
            <ExportButton
              key={JSON.stringify(variables)}
              fileName="deliveries"
              rowNames={['delivery', 'deliveries']}
              header={csvHeader}
              readPage={(after) => readRows(client, variables, after)}
            />
          </>
        }
      />
      <DeliveryFilterBar filters={filters} now={now} options={[...kinds, ...receivers.options]} onChange={setFilters} />
      {log.failure && <ErrorNotice title="Deliveries could not be loaded" failure={log.failure} onRetry={log.reload} />}
      <div ref={area} style={{ position: 'relative' }}>
        <VisuallyHidden role="status">{log.announcement}</VisuallyHidden>
        {log.newCount > 0 && (
          <Button size="compact-sm" radius="xl" className={classes.news} onClick={log.showNew}>
            Show {formatNewCount(log.newCount)}
          </Button>
        )}
        {log.isLoading && <RowsSkeleton />}
        {log.rows?.length === 0 && (
          <NoDeliveries isFiltered={isNarrowed(filters)} hasWebhook={receivers.hasAny} onClear={() => setFilters(noFilters)} />
        )}
        {log.rows !== undefined && log.rows.length > 0 && <DeliveryTable deliveries={log.rows} selected={openId} onOpen={open} />}
        <LoadMore hasMore={log.hasMore} loading={log.isLoadingMore} onMore={log.loadMore} />
      </div>
      <DeliveryPanel id={openId} onClose={() => open(undefined)} onClosed={focusRow} onChanged={log.updateRow} />
    </>
  )
}

const busyMs = 5000

/** Detects whether the reader is busy: pointer or keys were used in the element within the last 5 seconds, or the page is scrolled down. */
function useReaderActivity<Element extends HTMLElement>() {
  const area = useRef<Element>(null)
  const lastMove = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const moved = () => {
      lastMove.current = performance.now()
    }
    const events = ['pointermove', 'wheel', 'touchmove', 'keydown'] as const
    for (const event of events) element.addEventListener(event, moved, { passive: true })
    return () => {
      for (const event of events) element.removeEventListener(event, moved)
    }
  }, [])
  const isBusy = () => globalThis.scrollY > 0 || performance.now() - lastMove.current < busyMs
  return { area, isBusy }
}

/** The filters of the delivery log. Contract: docs/contract.md#pages. */
function DeliveryFilterBar({
  filters,
  now,
  options,
  onChange,
}: {
  filters: LogFilters
  /** From `useFrozenNow`. */
  now: number
  /** The receivers in the filter. */
  options: readonly { value: string; label: string }[]
  onChange(changed: Partial<LogFilters>): void
}) {
  const { state, webhook, event } = filters
  return (
    <FilterBar active={isNarrowed(filters)} onClear={() => onChange(noFilters)}>
      <FilterSelect label="State" value={state} options={stateOptions} onChange={(value) => onChange({ state: value })} width={140} />
      <FilterSelect
        label="Webhook"
        value={webhook}
        options={options}
        onChange={(value) => onChange({ webhook: value })}
        searchable
        width={215}
      />
      <FilterSelect
        label="Event"
        value={event}
        options={eventOptions}
        onChange={(value) => onChange({ event: value })}
        ownRow
        width={180}
      />
      <MomentRangeFilter range={filters} now={now} onChange={onChange} />
    </FilterBar>
  )
}

const states = ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED'] as const

/** The filters in the URL. `delivery` is the open delivery. */
const deliveryFilters = {
  state: oneOf(...states),
  webhook: idFilter,
  event: oneOf(...allEvents),
  ...momentRangeKinds,
  delivery: idFilter,
  live: oneOf('on'),
}

const stateOptions = states.map((value) => ({ value, label: stateLabel(value) }))
const eventOptions = allEvents.map((value) => ({ value, label: eventNames[value].name }))

type LogFilters = Omit<Filters<typeof deliveryFilters>, 'delivery' | 'live'>

const noFilters: LogFilters = { state: undefined, webhook: undefined, event: undefined, ...noMomentRange }

function isNarrowed(filters: LogFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
