import { Box, Stack, Text } from '@mantine/core'
import { IconLayoutGrid } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { type CurrentTeam, useTeam } from '../../api/viewer.ts'
import { descriptions, paths } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { FilterText } from '../../ui/table/FilterText.tsx'
import { idFilter, oneOf, textFilter, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { Availability } from './Availability.tsx'
import { CatalogQuery, type ListedFamily, type SwitchedOff } from './catalogQueries.ts'
import { FamilySwitch } from './FamilySwitch.tsx'
import { outputTypeLabels, taskLabel } from './familyLabels.ts'

const states = [
  { value: 'available', label: 'Available' },
  { value: 'locked', label: 'Locked' },
] as const
const kinds = {
  search: textFilter,
  task: idFilter,
  makes: oneOf('IMAGE', 'VIDEO', 'AUDIO', 'MODEL3D'),
  state: oneOf(...states.map(({ value }) => value)),
}

/** The model families for the keys of the team. */
export function CatalogPage() {
  const team = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: CatalogQuery, variables: { teamId: team.id } })
  const failure = error && failureOf(error)
  return (
    <>
      <PageHeading title="Catalog" description={descriptions.catalog} />
      {failure && (
        <ErrorNotice title="The catalog could not be loaded" failure={failure} onRetry={() => refetch({ requestPolicy: 'network-only' })} />
      )}
      {!data && !failure && <RowsSkeleton height={56} />}
      {data && <Families families={data.families.nodes} switchedOff={data.team?.switchedOffFamilies ?? []} team={team} />}
    </>
  )
}

type FamiliesProps = { families: ListedFamily[]; switchedOff: SwitchedOff[]; team: CurrentTeam }

function Families({ families, switchedOff, team }: FamiliesProps) {
  const [{ search, task, makes, state }, setFilters] = useUrlFilters(kinds)
  const tasks = useMemo(() => [...new Set(families.flatMap((family) => family.tasks))].toSorted(), [families])
  const outputs = useMemo(() => [...new Set(families.map((family) => family.outputType))], [families])
  const shown = families.filter(
    (family) =>
      (task === undefined || family.tasks.includes(task)) &&
      (makes === undefined || family.outputType === makes) &&
      (state === undefined || family.available === (state === 'available')) &&
      hasWords(family, search),
  )
  const clear = () => setFilters({ search: undefined, task: undefined, makes: undefined, state: undefined })
  if (families.length === 0)
    return (
      <EmptyState icon={IconLayoutGrid} title="No families yet">
        The operator of this service adds them as files, or by configuring a model vendor.
      </EmptyState>
    )
  return (
    <>
      <FilterBar active={[search, task, makes, state].some((each) => each !== undefined)} onClear={clear}>
        <FilterText
          label="Search families"
          placeholder="Name, vendor or description"
          value={search}
          onChange={(value) => setFilters({ search: value })}
        />
        <FilterSelect
          label="Task"
          value={task}
          options={tasks.map((each) => ({ value: each, label: taskLabel(each) }))}
          onChange={(value) => setFilters({ task: value })}
          searchable
          width={145}
        />
        <FilterSelect
          label="Makes"
          value={makes}
          options={outputs.flatMap((each) => (each === 'TEXT' ? [] : [{ value: each, label: outputTypeLabels[each] }]))}
          onChange={(value) => setFilters({ makes: value })}
          width={145}
        />
        <FilterSelect label="State" value={state} options={states} onChange={(value) => setFilters({ state: value })} width={145} />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState icon={IconLayoutGrid} title="No family matches these filters">
          Clear a filter to see more.
        </EmptyState>
      ) : (
        <DataTable
          label="Families"
          columns={columnsFor(team, switchedOff)}
          rows={shown}
          keyOf={({ id }) => id}
          linkOf={({ id }) => paths.family(team.id, id)}
        />
      )}
    </>
  )
}

/** Whether the family has each word of the search in its name, identifier, vendor or description. */
function hasWords({ name, id, vendor, description }: ListedFamily, search: string | undefined): boolean {
  const text = `${name} ${id} ${vendor} ${description}`.toLowerCase()
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  return words.every((word) => text.includes(word))
}

function columnsFor(team: CurrentTeam, switchedOff: SwitchedOff[]): Column<ListedFamily>[] {
  return [
    {
      name: 'Family',
      width: '30%',
      cell: (family) => (
        <Box maw={320}>
          <Text fw={500}>{family.name}</Text>
          {/* Inline blocks are not underlined with their link. */}
          <Text size="xs" c="dimmed" display="inline-block">
            {family.vendor} · {family.id}
          </Text>
        </Box>
      ),
    },
    {
      name: 'Makes',
      cell: ({ outputType, tasks }) => (
        <Stack gap={0}>
          <Text>{outputTypeLabels[outputType]}</Text>
          <Text size="xs" c="dimmed" maw={240}>
            {tasks.map(taskLabel).join(', ')}
          </Text>
        </Stack>
      ),
    },
    {
      name: 'From',
      align: 'right',
      cell: ({ creditsFrom }) => (
        <Text className="tabular" style={{ whiteSpace: 'nowrap' }}>
          {formatCredits(creditsFrom)}
        </Text>
      ),
    },
    { name: 'State', cell: (family) => <Availability family={family} team={team} brief /> },
    {
      name: 'For the team',
      cell: (family) => <FamilySwitch family={family} off={switchedOff.find(({ familyId }) => familyId === family.id)} team={team} />,
    },
  ]
}
