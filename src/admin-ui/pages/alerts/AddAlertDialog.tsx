import { Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { VerifyIt } from '../webhooks/VerifyIt.tsx'
import { AlertKindChoices } from './AlertKindChoices.tsx'
import { allAlertKinds } from './alertKinds.ts'
import { CreateAlert } from './alertQueries.ts'

/** Subscribes an address to alerts, and shows its secret once. */
export function AddAlertDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { id: teamId } = useTeam()
  const [address, setAddress] = useState('')
  const [kinds, setKinds] = useState(allAlertKinds)
  const [failure, setFailure] = useState<Failure>()
  const [secret, setSecret] = useState<string>()
  const [{ fetching }, create] = useMutation(CreateAlert)
  const reset = () => {
    setAddress('')
    setKinds(allAlertKinds)
    setFailure(undefined)
    setSecret(undefined)
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { data, error } = await create(
      { input: { teamId, address: address.trim(), kinds } },
      { additionalTypenames: ['AlertSubscription'] },
    )
    setFailure(error && failureOf(error))
    setSecret(data?.createAlertSubscription.signingSecret)
  }
  const { address: atAddress, kinds: atKinds } = issuesByField(failure)
  return (
    <SecretDialog
      title="Add alert"
      opened={opened}
      onClose={() => (fetching ? undefined : onClose())}
      onClosed={reset}
      secret={secret === undefined ? undefined : { label: 'Signing secret', copyName: 'Copy secret', value: secret }}
      usage={<VerifyIt />}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label="Address"
            description="A public https address. Each alert is sent to it as a signed POST, once per subject and day."
            placeholder="https://example.com/alerts"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={2048}
            data-autofocus
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={atAddress}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <AlertKindChoices value={kinds} onChange={setKinds} error={atKinds} />
          {failure && atAddress === undefined && atKinds === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Add" busy={fetching} stay={fetching} onCancel={onClose} />
        </Stack>
      </form>
    </SecretDialog>
  )
}
