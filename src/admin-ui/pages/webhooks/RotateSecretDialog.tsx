import { NumberInput, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { VerifyIt } from './VerifyIt.tsx'
import type { WebhookDialogProps } from './webhookDialogProps.ts'

const Rotate = graphql(`
  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) {
      signingSecret
    }
  }
`)

const hoursMax = 24

/** Gives a webhook a new secret and shows it once. */
export function RotateSecretDialog({ webhook, opened, onClose, onClosed }: WebhookDialogProps) {
  const [hours, setHours] = useState<number | string>(hoursMax)
  const [failure, setFailure] = useState<Failure>()
  const [secret, setSecret] = useState<string>()
  const [{ fetching }, rotate] = useMutation(Rotate)
  const overlapHours = typeof hours === 'number' && Number.isInteger(hours) && hours >= 0 && hours <= hoursMax ? hours : undefined

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (overlapHours === undefined) return
    const { data, error } = await rotate({ input: { id: webhook.id, overlapHours } })
    setFailure(error && failureOf(error))
    setSecret(data?.rotateWebhookSecret.signingSecret)
  }
  const { overlapHours: refused } = issuesByField(failure)
  const wrong = overlapHours === undefined ? `Takes whole hours, 0 to ${hoursMax}.` : refused
  return (
    <SecretDialog
      title="Rotate secret"
      opened={opened}
      onClose={onClose}
      onClosed={onClosed}
      secret={secret === undefined ? undefined : { label: 'Signing secret', copyName: 'Copy secret', value: secret }}
      usage={<VerifyIt />}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text style={{ overflowWrap: 'anywhere' }}>
            A new secret for{' '}
            <Text span ff="monospace" size="sm">
              {webhook.address}
            </Text>
          </Text>
          <OverlapField hours={hours} onChange={setHours} error={wrong} />
          {failure && refused === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Rotate secret" busy={fetching} disabled={overlapHours === undefined} onCancel={onClose} />
        </Stack>
      </form>
    </SecretDialog>
  )
}

function OverlapField({
  hours,
  onChange,
  error,
}: {
  hours: number | string
  onChange(hours: number | string): void
  error: string | undefined
}) {
  return (
    <>
      <NumberInput
        label="Overlap"
        description="How long the old secret also signs, so that you have time to install the new one."
        suffix={hours === 1 ? ' hour' : ' hours'}
        min={0}
        max={hoursMax}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        value={hours}
        onChange={onChange}
        error={error}
        data-autofocus
      />
      {hours === 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          The old secret stops at once. Your receiver refuses all events until it has the new secret.
        </Text>
      )}
    </>
  )
}
