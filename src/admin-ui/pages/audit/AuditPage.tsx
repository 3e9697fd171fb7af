import { TextInput } from '@mantine/core'
import { IconClipboardList, IconFilterOff } from '@tabler/icons-react'
import { useClient, useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { FilterBar } from '../../ui/FilterBar.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { LoadMore } from '../../ui/LoadMore.tsx'
import { localMomentOf, momentOfLocal } from '../../ui/localMoment.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { RowsSkeleton } from '../../ui/Skeletons.tsx'
import { anyText, date, oneOf, useAddressFilters } from '../../ui/useAddressFilters.ts'
import { usePages } from '../../ui/usePages.ts'
import { AuditPanel } from './AuditPanel.tsx'
import { AuditTable } from './AuditTable.tsx'
import { ActorsQuery, AuditQuery } from './auditQuery.ts'
import { actionOptions, actions } from './auditWords.ts'
import { csvHeader, readRows } from './exportAudit.ts'

const auditFilters = { who: anyText, what: oneOf(...actions), since: date, entry: anyText }
const none = { who: undefined, what: undefined, since: undefined }
const fresh = { requestPolicy: 'cache-and-network' } as const

/** Who changed what of the team, and when. Contract: section 9. */
export function AuditPage() {
  const team = useTeam()
  const client = useClient()
  const [{ who, what, since, entry: openId }, setFilters] = useAddressFilters(auditFilters)
  const [{ data }] = useQuery({ query: ActorsQuery, variables: { team: team.id } })
  const people = (data?.team?.members.nodes ?? []).map(({ user: { id, name } }) => ({ value: id, label: name }))
  const moment = since === undefined ? null : new Date(since).toISOString()
  const variables = { team: team.id, actor: who ?? null, action: what ?? null, since: moment, after: null }
  const { rows, isLoading, failure, hasMore, isLoadingMore, loadMore, reload } = usePages({
    query: AuditQuery,
    variables,
    pageOf: (page) => page.team?.auditLog,
    context: fresh,
  })
  const isFiltered = [who, what, since].some((value) => value !== undefined)
  const isKnown = who === undefined || people.some(({ value }) => value === who)
  return (
    <>
      <PageHeading
        title="Audit log"
        description="Who changed keys, webhooks, members and settings of this team in the last 400 days."
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
      <FilterBar active={isFiltered} onClear={() => setFilters(none)}>
        <FilterSelect
          label="Who"
          value={who}
          options={isKnown ? people : [...people, { value: who, label: who }]}
          onChange={(value) => setFilters({ who: value })}
          searchable
          width={220}
        />
        <FilterSelect
          label="What"
          value={what}
          options={actionOptions}
          onChange={(value) => setFilters({ what: value })}
          searchable
          width={220}
        />
        <TextInput
          type="datetime-local"
          label="Since"
          w={{ base: 'calc(50% - 6px)', xs: 210 }}
          value={localMomentOf(since)}
          onChange={({ currentTarget }) => setFilters({ since: momentOfLocal(currentTarget.value) })}
        />
      </FilterBar>
      {failure && <ErrorNotice title="The audit log could not be loaded" failure={failure} onRetry={reload} />}
      {isLoading && <RowsSkeleton />}
      {rows?.length === 0 && <NoEntries isFiltered={isFiltered} />}
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

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={IconFilterOff} title="Nothing fits these filters">
        Entries are kept for 400 days.
      </EmptyState>
    )
  return (
    <EmptyState icon={IconClipboardList} title="Nothing was changed yet">
      Whatever somebody changes of this team is listed here: keys, webhooks, members and settings.
    </EmptyState>
  )
}
