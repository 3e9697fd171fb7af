import { NumberInput, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { CombinedError } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import { VerifyIt } from './VerifyIt.tsx'

const hoursMax = 24

type RotateSecretDialogProps = {
  /** The receiver, as the dialog names it. */
  address: string
  rotate(overlapHours: number): Promise<{ secret: string | undefined; error: CombinedError | undefined }>
  opened: boolean
  onClose(): void
  onClosed(): void
}

/** Gives a receiver a new secret and shows it once. */
export function RotateSecretDialog({ address, rotate, opened, onClose, onClosed }: RotateSecretDialogProps) {
  const [hours, setHours] = useState<number | string>(hoursMax)
  const [failure, setFailure] = useState<Failure>()
  const [secret, setSecret] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const overlapHours = typeof hours === 'number' && Number.isInteger(hours) && hours >= 0 && hours <= hoursMax ? hours : undefined

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (overlapHours === undefined) return
    setBusy(true)
    const { secret: shown, error } = await rotate(overlapHours)
    setBusy(false)
    setFailure(error && failureOf(error))
    setSecret(shown)
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
              <WordBreaks text={address} />
            </Text>
          </Text>
          <OverlapField hours={hours} onChange={setHours} error={wrong} />
          {failure && refused === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Rotate secret" busy={isBusy} disabled={overlapHours === undefined} onCancel={onClose} />
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
