import { Text } from '@mantine/core'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { base } from '../../paths.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { ConsequenceList } from './ConsequenceList.tsx'
import { consequencesOf } from './roleRules.ts'
import { type Member, RemoveTeamMember } from './teamQueries.ts'

type RemoveMemberDialogProps = { member: Member | undefined; opened: boolean; onClose(): void; onRemoved(): void }

/** Confirms a removal and shows what stops. */
export function RemoveMemberDialog({ member, opened, onClose, onRemoved }: RemoveMemberDialogProps) {
  const team = useTeam()
  const viewer = useViewer()
  const [, remove] = useMutation(RemoveTeamMember)
  if (!member) return null
  const { user } = member
  const isSelf = user.id === viewer.id

  const act = async () => {
    const { error } = await remove({ input: { teamId: team.id, userId: user.id } }, { additionalTypenames: ['Membership'] })
    if (error) return failureOf(error)
    // Afterwards there is another team to show, or no session.
    if (isSelf) location.assign(base)
    else {
      showSaved(`${user.name} is no longer in the team.`)
      onRemoved()
    }
    return undefined
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={isSelf ? `Leave ${team.name}?` : `Remove ${user.name}?`}
      confirm={isSelf ? 'Leave team' : 'Remove from team'}
      onConfirm={act}
      onClose={onClose}
    >
      <Text>
        {isSelf
          ? 'You lose access to this team at once. Only an owner or administrator can add you again.'
          : `${user.name} (${user.email}) loses access to this team at once. If this is their only team, they are signed out everywhere.`}
      </Text>
      <ConsequenceList consequences={consequencesOf(member, null)} isSelf={isSelf} />
    </ConfirmDialog>
  )
}
