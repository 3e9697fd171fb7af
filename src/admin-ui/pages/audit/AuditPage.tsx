import { Text } from '@mantine/core'
import { IconClipboardList, IconFilterOff } from '@tabler/icons-react'
import { useClient, useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { ExportButton } from '../../ui/table/ExportButton.tsx'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { MomentRangeFilter } from '../../ui/table/RangeFilters.tsx'
import { momentRangeKinds, noMomentRange, queriedMoments, useFrozenNow } from '../../ui/table/timeRange.ts'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { type Filters, idFilter, oneOf, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { AuditPanel } from './AuditPanel.tsx'
import { actionLabel, actionOptions, actions, actorLabel, subjectLabel } from './auditLabels.ts'
import { ActorsQuery, type AuditEntry, AuditQuery } from './auditQuery.ts'
import { csvHeader, readRows } from './exportAudit.ts'
import { Subject } from './Subject.tsx'

const fresh = { requestPolicy: 'cache-and-network' } as const

/** The changes in a team, by whom and when. Contract: docs/contract.md#pages. */
export function AuditPage() {
  const team = useTeam()
  const client = useClient()
  const [{ entry: openId, ...filters }, setFilters] = useUrlFilters(auditFilters, 'entry')
  const now = useFrozenNow(filters.period)
  const variables = variablesOf(team.id, filters, now)
  const { rows, isLoading, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: AuditQuery,
    variables,
    pageOf: (page) => page.team?.auditLog,
    context: fresh,
  })
  return (
    <>
      <PageHeading
        title="Audit log"
        description={descriptions.audit}
        actions={
          <ExportButton
            key={JSON.stringify(variables)}
            fileName="audit-log"
            rowNames={['entry', 'entries']}
            header={csvHeader}
            readPage={(after) => readRows(client, variables, after)}
          />
        }
      />
      <AuditFilterBar filters={filters} now={now} onChange={setFilters} />
      {filters.subject !== undefined && <OnlySubject id={filters.subject} entries={rows ?? []} />}
      {failure && <ErrorNotice title="The audit log could not be loaded" failure={failure} onRetry={reload} />}
      {isLoading && <RowsSkeleton />}
      {rows?.length === 0 && <NoEntries isFiltered={isNarrowed(filters)} />}
      {rows !== undefined && rows.length > 0 && <AuditTable entries={rows} selected={openId} onOpen={(id) => setFilters({ entry: id })} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <AuditPanel
        entry={rows?.find(({ id }) => id === openId)}
        isMissing={openId !== undefined && rows !== undefined && !rows.some(({ id }) => id === openId)}
        onClose={() => setFilters({ entry: undefined })}
      />
    </>
  )
}

function variablesOf(team: string, filters: LogFilters, now: number) {
  const { who, what, subject } = filters
  const named = { actor: who ?? null, subject: subject ?? null, action: what ?? null }
  return { team, ...named, ...queriedMoments(filters, now), after: null }
}

function OnlySubject({ id, entries }: { id: string; entries: readonly AuditEntry[] }) {
  return (
    <Text c="dimmed" mb="sm" role="status">
      Only changes of <WordBreaks text={entries.find(({ subjectName }) => subjectName !== null)?.subjectName ?? id} />.
    </Text>
  )
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={IconFilterOff} title="No entry matches these filters">
        Entries are kept for 400 days.
      </EmptyState>
    )
  return (
    <EmptyState icon={IconClipboardList} title="No changes yet">
      Changes to keys, webhooks, members and settings of this team are listed here.
    </EmptyState>
  )
}

const columns: Column<AuditEntry>[] = [
  { name: 'What', width: 200, cell: ({ action }) => <TruncatedText text={actionLabel(action)} /> },
  {
    name: 'Subject',
    cell: (entry) => (
      <Text size="sm" component="div" lineClamp={3} title={subjectLabel(entry)} style={{ overflowWrap: 'anywhere' }}>
        <Subject entry={entry} />
      </Text>
    ),
  },
  { name: 'Who', width: 200, cell: (entry) => <TruncatedText text={actorLabel(entry)} /> },
  { name: 'From', width: 150, cell: ({ address }) => <TruncatedText text={address ?? '–'} />, priority: 'low' },
  { name: 'Time', width: 150, cell: ({ time }) => <Moment at={time} /> },
]

/** The audit log. A click on a row opens its entry. */
function AuditTable({
  entries,
  selected,
  onOpen,
}: {
  entries: readonly AuditEntry[]
  selected: string | undefined
  onOpen(id: string): void
}) {
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      selected={selected}
    />
  )
}

/** Truncated to one line, with the full text on hover. */
function TruncatedText({ text }: { text: string }) {
  return (
    <Text size="sm" component="div" truncate maw={280} title={text}>
      {text}
    </Text>
  )
}

/** The filters of the audit log. Contract: docs/contract.md#pages. */
function AuditFilterBar({ filters, now, onChange }: { filters: LogFilters; now: number; onChange(changed: Partial<LogFilters>): void }) {
  const { who, what } = filters
  const team = useTeam()
  const [{ data }] = useQuery({ query: ActorsQuery, variables: { team: team.id } })
  const people = (data?.team?.members.nodes ?? []).map(({ user: { id, name } }) => ({ value: id, label: name }))
  // A former member or a key, from the URL.
  const others = who === undefined || people.some(({ value }) => value === who) ? [] : [{ value: who, label: who }]
  return (
    <FilterBar active={isNarrowed(filters)} onClear={() => onChange(noFilters)}>
      <FilterSelect
        label="Who"
        value={who}
        options={[...people, ...others]}
        onChange={(value) => onChange({ who: value })}
        searchable
        width={220}
      />
      <FilterSelect
        label="What"
        value={what}
        options={actionOptions}
        onChange={(value) => onChange({ what: value })}
        searchable
        width={220}
      />
      <MomentRangeFilter range={filters} now={now} onChange={onChange} />
    </FilterBar>
  )
}

/** The filters in the URL. `entry` is the open entry. The page of a key or webhook leads here with `subject`. */
const auditFilters = { who: idFilter, subject: idFilter, what: oneOf(...actions), ...momentRangeKinds, entry: idFilter }

type LogFilters = Omit<Filters<typeof auditFilters>, 'entry'>

const noFilters: LogFilters = { who: undefined, subject: undefined, what: undefined, ...noMomentRange }

function isNarrowed(filters: LogFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
