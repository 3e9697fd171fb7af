import { Alert, Box, Group, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useParams } from 'react-router'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { type CurrentTeam, useTeam } from '../../api/viewer.ts'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { BlockSkeleton, PageSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useLastData } from '../../ui/hooks/useLastData.ts'
import { FailedPage } from '../../ui/layout/FailedPage.tsx'
import { LinkToList } from '../../ui/layout/LinkToList.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { Availability } from './Availability.tsx'
import { type Family, FamilyQuery, familyOf, type SwitchedOff } from './catalogQueries.ts'
import { FamilySwitch } from './FamilySwitch.tsx'
import { explainLock, formatRunSeconds, outputTypeLabels, taskLabel } from './familyLabels.ts'
import { ParametersTable } from './ParametersTable.tsx'
import { TryIt } from './TryIt.tsx'
import { VariantsTable } from './VariantsTable.tsx'

/** One family: description, prices, parameters, and a form to try it. */
export function FamilyPage() {
  const team = useTeam()
  const { familyId = '' } = useParams()
  const [{ data, error }, refetch] = useQuery({ query: FamilyQuery, variables: { id: familyId, teamId: team.id } })
  const shown = useLastData(error ? undefined : data, error)
  const read = shown?.family
  const family = useMemo(() => (read ? familyOf(read) : read), [read])
  if (error && read?.id !== familyId)
    return (
      <FailedPage
        heading="Family"
        list="catalog"
        title="The family could not be loaded"
        failure={failureOf(error)}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  if (family === null) return <NotFoundPage />
  if (family === undefined)
    return (
      <>
        <PageSkeleton />
        <BlockSkeleton height={320} />
      </>
    )
  const off = shown?.team?.switchedOffFamilies.find((each) => each.familyId === family.id)
  return <FamilyDetails key={family.id} family={family} off={off} team={team} />
}

type FamilyDetailsProps = { family: Family; off: SwitchedOff | undefined; team: CurrentTeam }

function FamilyDetails({ family, off, team }: FamilyDetailsProps) {
  return (
    <>
      <LinkToList screen="catalog" />
      <PageHeading
        title={family.name}
        description={family.description}
        actions={
          <Group gap="md" align="flex-start">
            <Availability family={family} team={team} />
            <FamilySwitch family={family} off={off} team={team} withLabel />
          </Group>
        }
      />
      <Stack gap="xl">
        <Facts family={family} />
        {family.lockReason !== null && <LockNotice reason={family.lockReason} team={team} />}
        <TryIt family={family} team={team} />
        <VariantsTable family={family} />
        <ParametersTable family={family} />
      </Stack>
    </>
  )
}

function Facts({ family }: { family: Family }) {
  const facts = [
    ['Makes', outputTypeLabels[family.outputType]],
    ['Tasks', family.tasks.map(taskLabel).join(', ')],
    ['From', formatCredits(family.creditsFrom)],
    ['Usually takes', formatRunSeconds(family.expectedRunSeconds)],
    ['Vendor', family.vendor],
    ['Family', <CopyableId key="id" name="family ID" id={family.id} />],
  ] as const
  return (
    <Group component="dl" gap="xl" align="flex-start" m={0} style={{ rowGap: 16 }}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          <Text span ff={name === 'Family' ? 'monospace' : undefined} size="sm">
            {value}
          </Text>
        </Fact>
      ))}
    </Group>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box>
      <Text component="dt" size="xs" c="dimmed" mb={2}>
        {name}
      </Text>
      <Box component="dd" m={0} maw={320}>
        {children}
      </Box>
    </Box>
  )
}

/** Why the family is locked, and what to do about it. */
function LockNotice({ reason, team }: { reason: string; team: CurrentTeam }) {
  const { name, advice } = explainLock(reason)
  return (
    <Alert color="gray" variant="light" icon={<IconLock size={18} aria-hidden />} title={name}>
      <Text size="sm">{advice({ teamName: team.name, mayManage: team.mayManage })}</Text>
    </Alert>
  )
}
