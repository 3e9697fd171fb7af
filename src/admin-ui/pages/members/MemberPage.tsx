import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ResultOf } from 'gql.tada'
import { useNavigate, useParams } from 'react-router'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Credits } from '../../ui/display/Credits.tsx'
import { Facts } from '../../ui/display/Facts.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { FailedPage } from '../../ui/layout/FailedPage.tsx'
import { LinkToList } from '../../ui/layout/LinkToList.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { PageSection } from '../../ui/layout/PageSection.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { RecentEntries } from '../audit/RecentEntries.tsx'
import { RecentGenerations } from '../history/RecentGenerations.tsx'
import { KeyState } from '../keys/KeyTable.tsx'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { RemoveMemberDialog } from '../team/RemoveMemberDialog.tsx'
import { mayChangeRole, roleLabels } from '../team/roleRules.ts'

const MemberQuery = graphql(`
  query Member($team: ID!, $user: ID!) {
    team(id: $team) {
      id
      member(userId: $user) {
        role
        fromGroups
        createdAt
        workingKeys
        restKeys
        shownKeys {
          id
          name
        }
        shownWebhooks {
          id
          address
        }
        shownAlertSubscriptions {
          id
          address
        }
        sawCallbackSecret
        user {
          id
          name
          email
        }
      }
      apiKeys(first: 50, issuedBy: $user, state: LIVE) {
        nodes {
          id
          name
          prefix
          state
          expiresAt
          revokedAt
          hints
          lastUsedAt
          spentThisMonthCredits
        }
      }
      generations(first: 10, userId: $user) {
        nodes {
          generationId
          state
          familyId
          prompt
          creditsCharged
          createdAt
        }
      }
    }
  }
`)

type Team = NonNullable<ResultOf<typeof MemberQuery>['team']>
type MemberKey = Team['apiKeys']['nodes'][number]

/** One member: their role, keys, what they ran and what they changed. Contract: docs/contract.md#pages. */
export function MemberPage() {
  const { userId = '' } = useParams()
  const { id: team } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: MemberQuery, variables: { team, user: userId }, requestPolicy: 'cache-and-network' })
  if (data?.team?.member) return <Details team={data.team} member={data.team.member} />
  if (error)
    return (
      <FailedPage
        heading="Member"
        list="team"
        title="The member could not be loaded"
        failure={failureOf(error)}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  return data ? <NotFoundPage /> : <BlockSkeleton height={240} />
}

function Details({ team, member }: { team: Team; member: NonNullable<Team['member']> }) {
  const { user, role, createdAt, workingKeys } = member
  return (
    <>
      <LinkToList screen="team" />
      <PageHeading title={user.name} description="Member of the team" actions={<Remove member={member} />} />
      <Stack gap="xl">
        <Facts
          facts={[
            ['E-mail', user.email],
            ['Role', roleLabels[role].name],
            ['In the team since', <Moment key="since" at={createdAt} />],
            ['Working keys', workingKeys],
          ]}
        />
        <PageSection title="Keys" more={{ to: paths.screen(team.id, 'keys'), words: 'All keys' }}>
          <MemberKeys keys={team.apiKeys.nodes} />
        </PageSection>
        <PageSection
          title="Last generations"
          more={{ to: paths.screen(team.id, 'history', { who: user.id }), words: 'All in the history' }}
        >
          <RecentGenerations rows={team.generations.nodes} />
        </PageSection>
        <PageSection title="Changes" more={{ to: paths.screen(team.id, 'audit', { who: user.id }), words: 'Audit log' }}>
          <RecentEntries actorId={user.id} />
        </PageSection>
      </Stack>
    </>
  )
}

/** The button to remove the member, for people who may change the role of the member. To leave a team oneself: TeamPage.tsx. */
function Remove({ member }: { member: NonNullable<Team['member']> }) {
  const { id: team, role } = useTeam()
  const viewer = useViewer()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure(false)
  if (member.user.id === viewer.id || !mayChangeRole(role, member.role)) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        Remove from team
      </Button>
      <RemoveMemberDialog member={member} opened={opened} onClose={close} onRemoved={() => void navigate(paths.screen(team, 'team'))} />
    </>
  )
}

const columns: Column<MemberKey>[] = [
  {
    name: 'Key',
    cell: ({ name }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        <bdi>{name}</bdi>
      </span>
    ),
  },
  { name: 'State', cell: (key) => <KeyState row={key} /> },
  { name: 'Spent this month', align: 'right', cell: ({ spentThisMonthCredits }) => <Credits amount={spentThisMonthCredits} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} otherwise="never" /> },
]

function MemberKeys({ keys }: { keys: readonly MemberKey[] }) {
  const { id } = useTeam()
  if (keys.length === 0) return <Text c="dimmed">No working keys.</Text>
  return <DataTable label="Keys" columns={columns} rows={keys} keyOf={(key) => key.id} linkOf={(key) => paths.key(id, key.id)} />
}
