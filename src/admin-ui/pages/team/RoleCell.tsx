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
  const { role: own } = useTeam()
  const mayChange = mayChangeRole(own, member.role) && !(isSelf && member.fromGroups)
  if (isLastOwner)
    return (
      <>
        {roleLabels.OWNER.name}
        {own === 'OWNER' && (
          <Text size="xs" c="dimmed">
            This is the only owner. To change the role, make another member an owner first.
          </Text>
        )}
      </>
    )
  return (
    <>
      {mayChange ? <RoleChoice member={member} isSelf={isSelf} /> : roleLabels[member.role].name}
      {member.fromGroups && (
        <Text size="xs" c="dimmed">
          From a group
        </Text>
      )}
    </>
  )
}

function RoleChoice({ member, isSelf }: Omit<RoleCellProps, 'isLastOwner'>) {
  const { role, user } = member
  const { id: teamId, role: own } = useTeam()
  const [{ fetching }, set] = useMutation(SetTeamMember)
  const [asked, setAsked] = useState<Role>(role)
  const [asking, setAsking] = useState(false)

  const change = async (to: Role) => {
    const { error } = await set({ input: { teamId, userId: user.id, role: to } }, { additionalTypenames: ['Membership', 'User'] })
    if (!error) showSaved(`${isSelf ? 'You are' : `${user.name} is`} ${roleLabels[to].one} now.`)
    return error && failureOf(error)
  }
  const choose = async (to: Role | undefined) => {
    if (to === undefined || to === role) return
    setAsked(to)
    if (isSelf || to === 'OWNER' || !isWithoutConsequences(consequencesOf(member, to))) return setAsking(true)
    const failure = await change(to)
    if (failure) showFailed(`The role of ${user.name} was not changed`, failure)
  }

  return (
    <>
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
    </>
  )
}
