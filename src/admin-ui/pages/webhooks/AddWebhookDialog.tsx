import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useClient, useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { EventChoices } from './EventChoices.tsx'
import { allEvents } from './eventNames.ts'
import { VerifyIt } from './VerifyIt.tsx'
import { WebhooksQuery } from './webhooksQuery.ts'

const Create = graphql(`
  mutation CreateWebhook($input: CreateWebhookSubscriptionInput!) {
    createWebhookSubscription(input: $input) {
      signingSecret
    }
  }
`)

/** Creates a webhook and shows its secret. `onClosed` is called after the dialog closed, to refetch the list. */
export function AddWebhookDialog({ opened, onClose, onClosed }: { opened: boolean; onClose(): void; onClosed(): void }) {
  const team = useTeam()
  const [address, setAddress] = useState('')
  const [events, setEvents] = useState(allEvents)
  const [failure, setFailure] = useState<Failure>()
  const [secret, setSecret] = useState<string>()
  const [isDuplicate, setDuplicate] = useState(false)
  const hasAddress = useKnownAddresses()
  const [{ fetching }, create] = useMutation(Create)

  const reset = () => {
    setAddress('')
    setEvents(allEvents)
    setFailure(undefined)
    setSecret(undefined)
    setDuplicate(false)
    onClosed()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const isKnown = hasAddress(address)
    setDuplicate(isKnown)
    // A second click adds it all the same.
    if (isKnown && !isDuplicate) return
    const { data, error } = await create({ input: { teamId: team.id, address: address.trim(), events } })
    setFailure(error && failureOf(error))
    setSecret(data?.createWebhookSubscription.signingSecret)
  }
  const { address: atAddress, events: atEvents } = issuesByField(failure)
  return (
    <SecretDialog
      title="Add webhook"
      opened={opened}
      onClose={onClose}
      onClosed={reset}
      secret={secret === undefined ? undefined : { label: 'Signing secret', copyName: 'Copy secret', value: secret }}
      usage={<VerifyIt />}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <AddressField
            value={address}
            error={atAddress}
            onChange={(typed) => {
              setAddress(typed)
              setDuplicate(false)
            }}
          />
          <EventChoices value={events} onChange={setEvents} error={atEvents} />
          {isDuplicate && <DuplicateNotice />}
          {failure && atAddress === undefined && atEvents === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Add" busy={fetching} onCancel={onClose} />
        </Stack>
      </form>
    </SecretDialog>
  )
}

/** Whether a loaded webhook of the team has the address. */
function useKnownAddresses(): (address: string) => boolean {
  const client = useClient()
  const { id: team } = useTeam()
  return (address) => {
    const { data } = client.readQuery(WebhooksQuery, { team }) ?? {}
    return data?.team?.webhookSubscriptions.nodes.some((webhook) => webhook.address === address.trim()) ?? false
  }
}

type AddressFieldProps = { value: string; error: string | undefined; onChange(value: string): void }

function AddressField({ value, error, onChange }: AddressFieldProps) {
  return (
    <TextInput
      label="Address"
      description="A public https address. Each event is sent to it as a signed POST."
      placeholder="https://example.com/atelier"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      maxLength={2048}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}

function DuplicateNotice() {
  return (
    <Alert color="orange" role="alert" title="This address is a webhook of the team already">
      <Text size="sm">It would get each event twice. Add it again only if that is what you want.</Text>
    </Alert>
  )
}
