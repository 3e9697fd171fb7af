import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import type { OperationContext } from 'urql'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { LinkFromList } from '../../ui/layout/LinkToList.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { RowMenu } from '../../ui/table/RowMenu.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { RoleCell } from './RoleCell.tsx'
import { mayChangeRole } from './roleRules.ts'
import { type Member, MembersQuery } from './teamQueries.ts'

/** Other pages change which values were shown to whom, so cached members are shown at once and refetched. */
const context: Partial<OperationContext> = {
  additionalTypenames: ['Membership', 'ApiKey', 'WebhookSubscription'],
  requestPolicy: 'cache-and-network',
}

/** The members of the team, with a role selector for those who may change roles. */
export function Members() {
  const team = useTeam()
  const viewer = useViewer()
  const [removing, setRemoving] = useState<Member>()
  const [asking, setAsking] = useState(false)
  const { rows, isLoading, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: MembersQuery,
    variables: { team: team.id, mayManage: team.mayManage, after: null },
    pageOf: (data) => data.team?.members,
    context,
  })
  const owners = rows?.filter(({ role }) => role === 'OWNER').length ?? 0
  const isLastOwner = ({ role }: Member) => role === 'OWNER' && owners === 1 && !hasMore
  const mayRemove = (member: Member) => !isLastOwner(member) && (member.user.id === viewer.id || mayChangeRole(team.role, member.role))
  const remove = (member: Member) => {
    setRemoving(member)
    setAsking(true)
  }
  const columns: Column<Member>[] = [
    { name: 'Name', cell: (member) => <Who member={member} isSelf={member.user.id === viewer.id} /> },
    { name: 'E-mail', cell: ({ user }) => <span style={{ overflowWrap: 'anywhere' }}>{user.email}</span>, priority: 'low' },
    {
      name: 'Role',
      width: 230,
      cell: (member) => <RoleCell member={member} isLastOwner={isLastOwner(member)} isSelf={member.user.id === viewer.id} />,
    },
    { name: 'In the team since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Actions',
      hiddenName: true,
      align: 'right',
      width: 56,
      cell: (member) =>
        mayRemove(member) && (
          <RowMenu
            name={member.user.name}
            actions={[
              {
                label: member.user.id === viewer.id ? 'Leave team' : 'Remove from team',
                destructive: true,
                onClick: () => remove(member),
              },
            ]}
          />
        ),
    },
  ]
  if (failure && !rows) return <ErrorNotice title="The members could not be loaded" failure={failure} onRetry={reload} />
  if (isLoading || !rows) return <RowsSkeleton rows={3} />
  return (
    <>
      <DataTable label="Members" columns={columns} rows={rows} keyOf={({ user }) => user.id} />
      {failure && <ErrorNotice title="More members could not be loaded" failure={failure} onRetry={loadMore} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <RemoveMemberDialog member={removing} opened={asking} onClose={() => setAsking(false)} onRemoved={reload} />
    </>
  )
}

function Who({ member: { user }, isSelf }: { member: Member; isSelf: boolean }) {
  const { id, mayManage } = useTeam()
  return (
    <Text span fw={500} style={{ overflowWrap: 'anywhere' }}>
      {mayManage ? (
        <Anchor component={LinkFromList} to={paths.member(id, user.id)} inherit>
          {user.name}
        </Anchor>
      ) : (
        user.name
      )}
      {isSelf && (
        <Text span c="dimmed" fw={400}>
          {' '}
          (you)
        </Text>
      )}
    </Text>
  )
}
