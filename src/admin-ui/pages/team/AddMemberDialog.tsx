import { Alert, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { assignableRoles } from '../../api/permissions.generated.ts'
import { type Role, useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { roleLabels } from './roleRules.ts'
import { AddTeamMember } from './teamQueries.ts'

/** Adds a person with an account to the team. Contract: docs/contract.md#pages. */
export function AddMemberDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add member">
      <AddMemberForm onDone={onClose} />
    </Modal>
  )
}

/** The outcome of the last attempt: a failure, or a message when nothing changed. */
type AddMemberResult = { failure?: Failure | undefined; present?: string }

const looksLikeEmail = /^[^\s@]+@[^\s@]+$/

function AddMemberForm({ onDone }: { onDone(): void }) {
  const { id: teamId, role: own } = useTeam()
  const [{ fetching }, add] = useMutation(AddTeamMember)
  const [outcome, setOutcome] = useState<AddMemberResult>({})
  const [email, setEmail] = useState('')
  const [emailError, setEmailError] = useState<string>()
  const [role, setRole] = useState<Role>('MEMBER')

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    setOutcome({})
    if (!looksLikeEmail.test(email.trim())) return setEmailError('Enter an e-mail address.')
    const { data, error } = await add({ input: { teamId, email, role } }, { additionalTypenames: ['Membership'] })
    const failure = error && failureOf(error)
    if (failure?.code === 'invalid_request') return setEmailError(failure.message)
    if (failure || !data) return setOutcome({ failure })
    const { added, membership } = data.addTeamMember
    const words = `${membership.user.name} is ${roleLabels[membership.role].one}`
    if (!added) return setOutcome({ present: `${words} of this team already. Nothing changed.` })
    showSaved(`${words} of the team now.`)
    onDone()
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          description="The person must already have an account."
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
        {outcome.present !== undefined && (
          <Alert color="blue" role="status">
            <Text size="sm">{outcome.present}</Text>
          </Alert>
        )}
        {outcome.failure && <ErrorNotice failure={outcome.failure} />}
        <FormButtons submit="Save" busy={fetching} onCancel={onDone} />
      </Stack>
    </form>
  )
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
