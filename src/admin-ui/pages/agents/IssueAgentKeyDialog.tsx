import { Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { useErrorFocus } from '../../ui/form/useErrorFocus.ts'
import { emptyFields, type FieldErrors, hasErrors, readKeyFields } from '../keys/keyForm.ts'
import { IssueKey } from '../keys/keyQueries.ts'
import { SettingsFields } from '../keys/SettingsFields.tsx'
import { UnknownOutcomeNotice } from '../keys/UnknownOutcomeNotice.tsx'
import { Configurations } from './Configurations.tsx'

type IssueAgentKeyDialogProps = {
  opened: boolean
  onClose(): void
  /** The team whose history gets the generations; without one, the person's own history. */
  team: { id: string; name: string } | null
}

/** Issues an agent key and shows its value once, in the configuration of each agent. */
export function IssueAgentKeyDialog({ opened, onClose, team }: IssueAgentKeyDialogProps) {
  const [busy, setBusy] = useState(false)
  const [value, setValue] = useState<string>()
  return (
    <SecretDialog
      title="Issue agent key"
      opened={opened}
      secret={value === undefined ? undefined : { label: 'Key', copyName: 'Copy key', value }}
      usage={value !== undefined && <Configurations value={value} />}
      // Closing the dialog would lose its value.
      onClose={() => (busy ? undefined : onClose())}
      onClosed={() => setValue(undefined)}
    >
      <IssueForm team={team} onClose={onClose} onBusy={setBusy} onIssued={setValue} />
    </SecretDialog>
  )
}

type IssueFormProps = Omit<IssueAgentKeyDialogProps, 'opened'> & { onBusy(busy: boolean): void; onIssued(value: string): void }

function IssueForm({ team, onClose, onBusy, onIssued }: IssueFormProps) {
  const [{ fetching }, issue] = useMutation(IssueKey)
  const [fields, setFields] = useState(emptyFields)
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useErrorFocus(errors)
  const [failure, setFailure] = useState<Failure>()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { settings, errors: fieldErrors } = readKeyFields(fields, new Date())
    setErrors(fieldErrors)
    setFailure(undefined)
    if (hasErrors(fieldErrors)) return
    onBusy(true)
    const { data, error } = await issue({ input: { teamId: team?.id ?? null, scopes: ['MCP'], ...settings } })
    onBusy(false)
    if (data) onIssued(data.issueApiKey.value)
    const failed = error && failureOf(error)
    const atFields = failed ? issuesByField(failed) : {}
    setErrors(atFields)
    setFailure(hasErrors(atFields) ? undefined : failed)
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          The key works only for agents (MCP) and spends your personal credits.{' '}
          {team ? `Its generations are in the history of ${team.name}.` : 'Its generations are in your own history.'}
        </Text>
        <SettingsFields forAgents fields={fields} errors={errors} onChange={(changed) => setFields((now) => ({ ...now, ...changed }))} />
        {failure?.code === 'unreachable' ? (
          <UnknownOutcomeNotice title="It is not known whether the key was issued" action="Look for it" onAct={onClose}>
            The server did not answer. If “<bdi>{fields.name.trim()}</bdi>” is in the list, the key was issued, but its value is lost.
            Revoke it and issue another key.
          </UnknownOutcomeNotice>
        ) : (
          failure && <ErrorNotice title="The key was not issued" failure={failure} />
        )}
        <FormButtons submit="Issue" busy={fetching} stay={fetching} onCancel={onClose} />
      </Stack>
    </form>
  )
}
