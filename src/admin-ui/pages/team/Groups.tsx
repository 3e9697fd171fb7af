import { Alert, Code, Select, Text, Title } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { type OperationContext, useMutation, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { assignableRoles } from '../../api/permissions.generated.ts'
import { type Role, useTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { RowMenu } from '../../ui/table/RowMenu.tsx'
import { AddGroup } from './AddGroup.tsx'
import { roleLabels, roleOptions } from './roleRules.ts'

const GroupsQuery = graphql(`
  query Groups($team: ID!) {
    team(id: $team) {
      id
      groupProvider
      groupsClaim {
        name
        lastSignInAt
        lastOutcome
      }
      groups {
        group
        role
        createdAt
      }
    }
  }
`)

const SetTeamGroup = graphql(`
  mutation SetTeamGroup($input: SetTeamGroupInput!) {
    setTeamGroup(input: $input) {
      id
    }
  }
`)

type Team = NonNullable<ResultOf<typeof GroupsQuery>['team']>
type Group = Team['groups'][number]

const context: Partial<OperationContext> = { additionalTypenames: ['TeamGroup'] }

/** Sets the role of a group; null removes it. */
function useSetGroup() {
  const { id: teamId } = useTeam()
  const [, set] = useMutation(SetTeamGroup)
  return async (group: string, role: Role | null) => {
    const { error } = await set({ input: { teamId, group, role } }, { additionalTypenames: ['TeamGroup'] })
    return error && failureOf(error)
  }
}

/** The groups of the OIDC provider that give a role, for owners. Hidden without a provider and groups. Contract: docs/contract.md#pages. */
export function Groups() {
  const { id: team } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: GroupsQuery, variables: { team }, context })
  const [removing, setRemoving] = useState<Group>()
  const [asking, setAsking] = useState(false)
  const set = useSetGroup()
  if (error && !data)
    return (
      <ErrorNotice
        title="The groups could not be loaded"
        failure={failureOf(error)}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  const { groups, groupProvider: provider, groupsClaim } = data?.team ?? { groups: [], groupProvider: null, groupsClaim: null }
  if (provider === null && groups.length === 0) return null
  const remove = (group: Group) => {
    setRemoving(group)
    setAsking(true)
  }
  return (
    <section aria-labelledby="groups">
      <Title order={2} id="groups" mb="xs">
        Groups
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw={680}>
        {provider === null
          ? 'This deployment reads no groups at present, so these have no effect.'
          : `People of these groups at ${provider} get the role when they sign in there, and lose it at their next sign-in after they leave the group. Members that you add or change by hand keep their role.`}
      </Text>
      {provider !== null && groupsClaim && <ClaimFault provider={provider} claim={groupsClaim} />}
      {groups.length > 0 && <DataTable label="Groups" columns={columnsOf({ remove })} rows={groups} keyOf={({ group }) => group} />}
      <AddGroup onAdd={set} />
      <ConfirmDialog
        opened={asking}
        title="Remove the group?"
        confirm="Remove group"
        onConfirm={async () => {
          const failure = removing && (await set(removing.group, null))
          if (!failure) showSaved('The group gives no role any more.')
          return failure
        }}
        onClose={() => setAsking(false)}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          Members who have their role from {removing?.group} lose it at their next sign-in, unless another group gives one. Their keys for
          the team then stop.
        </Text>
      </ConfirmDialog>
    </section>
  )
}

/** Says that the last sign-in carried no usable claim. */
function ClaimFault({
  provider,
  claim: { name, lastSignInAt, lastOutcome },
}: {
  provider: string
  claim: NonNullable<Team['groupsClaim']>
}) {
  if (lastOutcome === null || lastOutcome === 'READ') return null
  return (
    <Alert color="orange" variant="light" mb="md" maw={680} title="The last sign-in gave no roles">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The last sign-in at {provider}, <Moment at={lastSignInAt} />, carried{' '}
        {lastOutcome === 'MISSING' ? 'no claim' : 'something other than a list of names as the claim'} <Code>{name}</Code>. The person kept
        their roles. If people have groups there, ask the operators of this deployment to have {provider} put them into the ID token.
      </Text>
    </Alert>
  )
}

function columnsOf({ remove }: { remove(group: Group): void }): Column<Group>[] {
  return [
    { name: 'Group', cell: ({ group }) => <span style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{group}</span> },
    { name: 'Role', width: 200, cell: (group) => <GroupRole group={group} /> },
    { name: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} />, priority: 'low' },
    {
      name: 'Actions',
      hiddenName: true,
      align: 'right',
      width: 56,
      cell: (group) => (
        <RowMenu name={`the group ${group.group}`} actions={[{ label: 'Remove group', destructive: true, onClick: () => remove(group) }]} />
      ),
    },
  ]
}

function GroupRole({ group: { group, role } }: { group: Group }) {
  const set = useSetGroup()
  const [busy, setBusy] = useState(false)
  const choose = async (to: Role | undefined) => {
    if (to === undefined || to === role) return
    setBusy(true)
    const failure = await set(group, to)
    setBusy(false)
    if (failure) showFailed('The role of the group was not changed', failure)
    else showSaved(`The group gives the role ${roleLabels[to].name} from the next sign-in on.`)
  }
  return (
    <Select
      aria-label={`Role of the group ${group}`}
      data={roleOptions}
      value={role}
      onChange={(chosen) => void choose(assignableRoles.OWNER.find((each) => each === chosen))}
      allowDeselect={false}
      disabled={busy}
      w={170}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
