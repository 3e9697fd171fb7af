import { Button, Text, Title } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { type OperationContext, useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { roleLabels } from './roleRules.ts'

const InvitationsQuery = graphql(`
  query Invitations($team: ID!, $after: String) {
    team(id: $team) {
      id
      invitations(first: 25, after: $after) {
        nodes {
          id
          email
          role
          mailed
          createdAt
          expiresAt
          invitedBy {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const RevokeInvitation = graphql(`
  mutation RevokeInvitation($input: RevokeInvitationInput!) {
    revokeInvitation(input: $input)
  }
`)

type Invitation = NonNullable<ResultOf<typeof InvitationsQuery>['team']>['invitations']['nodes'][number]

/** People accept elsewhere, so cached invitations are shown at once and refetched. */
const context: Partial<OperationContext> = { additionalTypenames: ['Invitation'], requestPolicy: 'cache-and-network' }

/** The open invitations; nothing while there are none. */
export function Invitations() {
  const { id: team } = useTeam()
  const [revoking, setRevoking] = useState<Invitation>()
  const [asking, setAsking] = useState(false)
  const [, revoke] = useMutation(RevokeInvitation)
  const { rows, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: InvitationsQuery,
    variables: { team, after: null },
    pageOf: (data) => data.team?.invitations,
    context,
  })
  const act = async () => {
    const { error } = await revoke({ input: { teamId: team, id: revoking?.id ?? '' } }, { additionalTypenames: ['Invitation'] })
    if (error) return failureOf(error)
    showSaved(`The invitation for ${revoking?.email ?? ''} no longer works.`)
    return undefined
  }
  if (failure && !rows) return <ErrorNotice title="The invitations could not be loaded" failure={failure} onRetry={reload} />
  if (!rows || rows.length === 0) return null
  const columns: Column<Invitation>[] = [
    { name: 'E-mail', cell: ({ email }) => <span style={{ overflowWrap: 'anywhere' }}>{email}</span> },
    { name: 'Role', cell: ({ role }) => roleLabels[role].name },
    { name: 'Invited by', cell: ({ invitedBy, mailed }) => `${invitedBy?.name ?? 'Operator'}${mailed ? ', by mail' : ''}` },
    { name: 'Works until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      name: 'Actions',
      hiddenName: true,
      align: 'right',
      cell: (invitation) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Revoke the invitation for ${invitation.email}`}
          onClick={() => {
            setRevoking(invitation)
            setAsking(true)
          }}
        >
          Revoke
        </Button>
      ),
    },
  ]
  return (
    <section aria-labelledby="invitations">
      <Title order={2} id="invitations" mb="xs">
        Invitations
      </Title>
      <DataTable label="Invitations" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {failure && <ErrorNotice title="More invitations could not be loaded" failure={failure} onRetry={loadMore} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <ConfirmDialog opened={asking} title="Revoke the invitation?" confirm="Revoke" onConfirm={act} onClose={() => setAsking(false)}>
        <Text style={{ overflowWrap: 'anywhere' }}>The link for {revoking?.email} stops working at once.</Text>
      </ConfirmDialog>
    </section>
  )
}
