import { Button, Text } from '@mantine/core'
import { IconKey, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { FilterText } from '../../ui/table/FilterText.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { type Filters, oneOf, textFilter, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { IssueKeyDialog } from './IssueKeyDialog.tsx'
import { type KeyAction, KeyTable } from './KeyTable.tsx'
import { type KeyRow, KeysQuery, keysContext } from './keyQueries.ts'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'

const refreshSeconds = 20

const filterKinds = { search: textFilter, state: oneOf('LIVE', 'EXPIRED', 'REVOKED') }

const stateOptions = [
  { value: 'LIVE', label: 'Active' },
  { value: 'EXPIRED', label: 'Expired' },
  { value: 'REVOKED', label: 'Revoked' },
] as const

/** Contract: docs/contract.md#pages. */
export function KeysPage() {
  const team = useTeam()
  const [filters, setFilters] = useUrlFilters(filterKinds)
  const [dialog, setDialog] = useState<'issue' | KeyAction>()
  // Kept while its dialog closes.
  const [row, setRow] = useState<KeyRow>()
  const close = () => setDialog(undefined)
  const keys = usePagedQuery({
    query: KeysQuery,
    variables: { teamId: team.id, search: filters.search ?? null, state: filters.state ?? null },
    pageOf: (data) => data.team?.apiKeys,
    context: keysContext,
  })
  usePollWhileVisible(refreshSeconds, async () => keys.reload())
  const isFiltered = filters.search !== undefined || filters.state !== undefined
  const isEmpty = keys.rows?.length === 0 && !isFiltered
  return (
    <>
      <PageHeading
        title="API keys"
        description={descriptions.keys}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('issue')}>
            Issue key
          </Button>
        }
      />
      {!isEmpty && <KeyFilters filters={filters} isFiltered={isFiltered} onChange={setFilters} />}
      {keys.failure && <ErrorNotice title="Keys could not be loaded" failure={keys.failure} onRetry={keys.reload} />}
      {keys.isLoading && <RowsSkeleton height={64} />}
      {keys.rows && keys.rows.length > 0 && (
        <KeyTable
          rows={keys.rows}
          onAct={(action, chosen) => {
            setRow(chosen)
            setDialog(action)
          }}
        />
      )}
      {isEmpty && <NoKeysYet onIssue={() => setDialog('issue')} />}
      {keys.rows?.length === 0 && isFiltered && <NoSuchKey />}
      <LoadMore hasMore={keys.hasMore} loading={keys.isLoadingMore} onMore={keys.loadMore} />
      <IssueKeyDialog
        opened={dialog === 'issue'}
        onClose={close}
        onSearch={(search) => {
          close()
          setFilters({ search, state: undefined })
          keys.reload()
        }}
      />
      <EditKeyDialog row={row} opened={dialog === 'edit'} onClose={close} />
      <RotateKeyDialog row={row} opened={dialog === 'rotate'} onClose={close} />
      <RevokeKeyDialog row={row} opened={dialog === 'revoke'} onClose={close} />
    </>
  )
}

type KeyFiltersProps = {
  filters: Filters<typeof filterKinds>
  isFiltered: boolean
  onChange(changed: Partial<Filters<typeof filterKinds>>): void
}

function KeyFilters({ filters, isFiltered, onChange }: KeyFiltersProps) {
  return (
    <FilterBar active={isFiltered} onClear={() => onChange({ search: undefined, state: undefined })}>
      <FilterText
        label="Search keys"
        placeholder="Name or prefix"
        keep={visiblePart}
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <FilterSelect label="State" value={filters.state} options={stateOptions} onChange={(state) => onChange({ state })} />
    </FilterBar>
  )
}

const wholeKey = /^\s*(atl_[0-9A-Za-z]{8})[0-9A-Za-z]+\s*$/

/** Shortens a pasted key to its visible prefix, because the search text is in the URL. */
function visiblePart(text: string): string {
  return wholeKey.exec(text)?.[1] ?? text
}

function NoKeysYet({ onIssue }: { onIssue(): void }) {
  return (
    <EmptyState
      icon={IconKey}
      title="No keys yet"
      action={
        <Button variant="default" onClick={onIssue}>
          Issue your first key
        </Button>
      }
    >
      A key is the password of a program. Your code uses it to start generations, upload files and read results over the API.
    </EmptyState>
  )
}

function NoSuchKey() {
  return (
    <EmptyState icon={IconSearchOff} title="No matching key">
      Search for a part of the name, or for the start of the key:{' '}
      <Text span ff="monospace" inherit>
        atl_…
      </Text>
    </EmptyState>
  )
}
