import { Alert, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useClient, useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { assignableRoles } from '../../api/permissions.generated.ts'
import { type Role, useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { roleLabels } from './roleRules.ts'
import { InviteMember, MembersQuery } from './teamQueries.ts'

/** Invites a person, and shows the link once where it was not sent by mail. Contract: docs/contract.md#pages. */
export function AddMemberDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const [link, setLink] = useState<string>()
  const [busy, setBusy] = useState(false)
  return (
    <SecretDialog
      title="Add member"
      opened={opened}
      secret={
        link === undefined
          ? undefined
          : { label: 'Invitation link', copyName: 'Copy link', value: link, advice: 'Copy it now. It is not shown again.' }
      }
      usage={
        <Text size="sm">
          Send it to the person yourself. It works once, for 7 days, for this address and role. A new invitation replaces it.
        </Text>
      }
      // Closing the dialog would lose the link.
      onClose={() => (busy ? undefined : onClose())}
      onClosed={() => setLink(undefined)}
    >
      <InviteForm onDone={onClose} onBusy={setBusy} onLink={setLink} />
    </SecretDialog>
  )
}

const looksLikeEmail = /^[^\s@]+@[^\s@]+$/

type InviteFormProps = { onDone(): void; onBusy(busy: boolean): void; onLink(url: string): void }

function InviteForm({ onDone, onBusy, onLink }: InviteFormProps) {
  const { id: teamId, role: own } = useTeam()
  const [{ fetching }, invite] = useMutation(InviteMember)
  const presentMember = usePresentMember()
  const [failure, setFailure] = useState<Failure>()
  const [present, setPresent] = useState<string>()
  const [email, setEmail] = useState('')
  const [emailError, setEmailError] = useState<string>()
  const [role, setRole] = useState<Role>('MEMBER')

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    setFailure(undefined)
    setPresent(presentMember(email))
    if (!looksLikeEmail.test(email.trim())) return setEmailError('Enter an e-mail address.')
    if (presentMember(email) !== undefined) return
    onBusy(true)
    const { data, error } = await invite({ input: { teamId, email, role } }, { additionalTypenames: ['Invitation'] })
    onBusy(false)
    const refused = error && failureOf(error)
    if (refused?.code === 'invalid_request') return setEmailError(refused.message)
    if (refused || !data) return setFailure(refused)
    const { url } = data.inviteMember
    if (url !== null) return onLink(url)
    showSaved(`The invitation was sent to ${email.trim()}.`)
    onDone()
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          description="With or without an account here."
          data-autofocus
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setEmailError(undefined)
          }}
          error={emailError}
        />
        <Radio.Group label="Role" value={role} onChange={setRole}>
          <Roles roles={assignableRoles[own].toReversed()} />
        </Radio.Group>
        {present !== undefined && (
          <Alert color="blue" role="status">
            <Text size="sm">{present}</Text>
          </Alert>
        )}
        {failure && <ErrorNotice title="The invitation was not created" failure={failure} />}
        <FormButtons submit="Save" busy={fetching} stay={fetching} onCancel={onDone} />
      </Stack>
    </form>
  )
}

/** A message for the address of a member in the list. The server answers alike for every address. */
function usePresentMember(): (email: string) => string | undefined {
  const client = useClient()
  const { id: team, mayManage } = useTeam()
  return (email) => {
    const { data } = client.readQuery(MembersQuery, { team, mayManage, after: null }) ?? {}
    const found = data?.team?.members.nodes.find(({ user }) => user.email.toLowerCase() === email.trim().toLowerCase())
    return found && `${found.user.name} is ${roleLabels[found.role].one} of this team already.`
  }
}

function Roles({ roles }: { roles: readonly Role[] }) {
  return (
    <Stack gap="xs" mt={6}>
      {roles.map((role) => (
        <Radio key={role} value={role} label={roleLabels[role].name} description={roleLabels[role].may} />
      ))}
    </Stack>
  )
}
