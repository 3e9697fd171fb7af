import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { assignableRoles } from '../../api/permissions.generated.ts'
import { type Role, useTeam } from '../../api/viewer.ts'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { ConsequenceList } from './ConsequenceList.tsx'
import { consequencesOf, isWithoutConsequences, mayChangeRole, roleLabels } from './roleRules.ts'
import { type Member, SetTeamMember } from './teamQueries.ts'

export type RoleCellProps = { member: Member; isLastOwner: boolean; isSelf: boolean }

/** The role of a member, with a selector for those who may change it. Contract: docs/contract.md#pages. */
export function RoleCell({ member, isLastOwner, isSelf }: RoleCellProps) {
  const { role, user } = member
  const { role: own } = useTeam()
  const { change, fetching } = useRoleChange(member, isSelf)
  const [asked, setAsked] = useState<Role>(role)
  const [asking, setAsking] = useState(false)
  const mayChange = !isLastOwner && mayChangeRole(own, role) && !(isSelf && member.fromGroups)
  const choose = async (to: Role | undefined) => {
    if (to === undefined || to === role) return
    setAsked(to)
    if (isSelf || to === 'OWNER' || !isWithoutConsequences(consequencesOf(member, to))) return setAsking(true)
    const failure = await change(to)
    if (failure) showFailed(`The role of ${user.name} was not changed`, failure)
  }
  return (
    <>
      {mayChange ? (
        <Select
          aria-label={`Role of ${user.name}`}
          data={assignableRoles[own].map((value) => ({ value, label: roleLabels[value].name }))}
          value={role}
          onChange={(chosen) => void choose(assignableRoles[own].find((each) => each === chosen))}
          allowDeselect={false}
          disabled={fetching}
          w={170}
          comboboxProps={{ shadow: 'md' }}
        />
      ) : (
        roleLabels[role].name
      )}
      <RoleNote fromGroups={member.fromGroups} isLastOwner={isLastOwner} />
      {/* An open dialog stays when the role can no longer be changed, because it shows the refusal. */}
      {(mayChange || asking) && (
        <ConfirmDialog
          opened={asking}
          title={isSelf ? `Become ${roleLabels[asked].one}?` : `Make ${user.name} ${roleLabels[asked].one}?`}
          confirm="Change role"
          onConfirm={() => change(asked)}
          onClose={() => setAsking(false)}
        >
          {isSelf && <Text>You cannot undo this yourself. Only an owner can.</Text>}
          {!isSelf && asked === 'OWNER' && <Text>An owner can change every role, also yours, and remove any member.</Text>}
          {role !== 'MEMBER' && asked === 'MEMBER' && <ConsequenceList consequences={consequencesOf(member, asked)} isSelf={isSelf} />}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The reason why a role cannot be changed, or the source of the role. */
function RoleNote({ fromGroups, isLastOwner }: { fromGroups: boolean; isLastOwner: boolean }) {
  const { role: own } = useTeam()
  if (isLastOwner && own !== 'OWNER') return null
  if (!isLastOwner && !fromGroups) return null
  return (
    <Text size="xs" c="dimmed">
      {isLastOwner ? 'This is the only owner. To change the role, make another member an owner first.' : 'From a group'}
    </Text>
  )
}

/** Changes the role of a member. `change` returns the failure, if any. */
function useRoleChange({ user }: Member, isSelf: boolean) {
  const { id: teamId } = useTeam()
  const [{ fetching }, set] = useMutation(SetTeamMember)
  const change = async (to: Role) => {
    const { error } = await set({ input: { teamId, userId: user.id, role: to } }, { additionalTypenames: ['Membership', 'User'] })
    if (!error) showSaved(`${isSelf ? 'You are' : `${user.name} is`} ${roleLabels[to].one} now.`)
    return error && failureOf(error)
  }
  return { change, fetching }
}
