import { Button, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { permissions } from '../../api/permissions.generated.ts'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { AddMemberDialog } from './AddMemberDialog.tsx'
import { Groups } from './Groups.tsx'
import { Invitations } from './Invitations.tsx'
import { Members } from './Members.tsx'
import { Statement } from './Statement.tsx'
import { TeamCards } from './TeamCards.tsx'
import { TeamQuery } from './teamQueries.ts'

/** Members, credits and statement of the team. Contract: docs/contract.md#pages. */
export function TeamPage() {
  const { id, role, mayManage } = useTeam()
  const [adding, { open, close }] = useDisclosure(false)
  const [{ data, error }, refetch] = useQuery({ query: TeamQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  return (
    <>
      <PageHeading
        title="Team"
        description={descriptions.team}
        actions={
          mayManage && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
              Add member
            </Button>
          )
        }
      />
      {error && !data ? (
        <ErrorNotice
          title="The team could not be loaded"
          failure={failureOf(error)}
          onRetry={() => refetch({ requestPolicy: 'network-only' })}
        />
      ) : (
        <Stack gap="xl">
          {data?.team ? <TeamCards facts={data.team} /> : <BlockSkeleton height={150} />}
          <section aria-labelledby="members">
            <Title order={2} id="members" mb="xs">
              Members
            </Title>
            <Members />
          </section>
          {mayManage && <Invitations />}
          {(permissions['team.setGroups'] as readonly string[]).includes(role) && <Groups />}
          <Statement />
        </Stack>
      )}
      {mayManage && <AddMemberDialog opened={adding} onClose={close} />}
    </>
  )
}
