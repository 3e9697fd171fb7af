import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useClient, useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { Presets } from '../../ui/form/Presets.tsx'
import { SecretDialog } from '../../ui/form/SecretDialog.tsx'
import type { KeyDialogProps } from './EditKeyDialog.tsx'
import { KeyInUseQuery, type KeyRow, RotateKey } from './keyQueries.ts'
import { type KeyToTry, TryKey } from './TryKey.tsx'
import { UnknownOutcomeNotice } from './UnknownOutcomeNotice.tsx'

type RotateKeyDialogProps = KeyDialogProps & {
  /** What to show with the new value. Default: a command to try it. */
  usageOf?(rotated: KeyToTry): ReactNode
}

const tryIt = (rotated: KeyToTry) => <TryKey issued={rotated} />

/** Gives a key a new value and shows it once. Contract: docs/contract.md#pages. */
export function RotateKeyDialog({ row, opened, onClose, usageOf = tryIt }: RotateKeyDialogProps) {
  const [busy, setBusy] = useState(false)
  const [rotated, setRotated] = useState<KeyToTry>()
  return (
    <SecretDialog
      title="Rotate key"
      opened={opened}
      secret={rotated && { label: 'Key', copyName: 'Copy key', value: rotated.value }}
      usage={rotated && usageOf(rotated)}
      // Closing the dialog would lose the new value.
      onClose={() => (busy ? undefined : onClose())}
      onClosed={() => setRotated(undefined)}
    >
      {row?.rotatable === true && <RotateForm row={row} onClose={onClose} onBusy={setBusy} onRotated={setRotated} />}
      {row?.rotatable === false && <Refused issuer={row.issuedBy.name} onClose={onClose} />}
    </SecretDialog>
  )
}

function Refused({ issuer, onClose }: { issuer: string; onClose(): void }) {
  return (
    <Stack gap="md">
      <Text size="sm">
        Only <bdi>{issuer}</bdi> can rotate this key: over MCP it spends their personal credits, and a rotation shows its value. If it has
        leaked, revoke it and issue your own key.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

const overlapHoursMax = 168

type RotateFormProps = { row: KeyRow; onClose(): void; onBusy(busy: boolean): void; onRotated(rotated: KeyToTry): void }

function RotateForm({ row, onClose, onBusy, onRotated }: RotateFormProps) {
  const [{ fetching }, rotate] = useMutation(RotateKey)
  const [overlap, setOverlap] = useState('24')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<Failure>()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const overlapHours = /^\d{1,3}$/.test(overlap.trim()) ? Number(overlap) : Number.NaN
    const isHours = overlapHours <= overlapHoursMax
    setError(isHours ? undefined : `Takes whole hours, 0 to ${overlapHoursMax}.`)
    setFailure(undefined)
    if (!isHours) return
    onBusy(true)
    const { data, error: failed } = await rotate({ input: { id: row.id, overlapHours } })
    onBusy(false)
    if (data) onRotated({ value: data.rotateApiKey.value, ...data.rotateApiKey.apiKey })
    const refusal = failed && failureOf(failed)
    const { overlapHours: atField } = issuesByField(refusal)
    setError(atField)
    setFailure(atField === undefined ? refusal : undefined)
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">
          <bdi>{row.name}</bdi> gets a new value. Its scopes, ceilings, history and result links stay the same.
        </Text>
        {row.previousValueEndsAt !== null && <PreviousValueWarning prefix={row.previousPrefix} at={row.previousValueEndsAt} />}
        <OverlapField prefix={row.prefix} value={overlap} error={error} onChange={setOverlap} />
        {failure?.code === 'unreachable' ? (
          <RotationCheck row={row} />
        ) : (
          failure && <ErrorNotice title="The key was not rotated" failure={failure} />
        )}
        <FormButtons submit="Rotate key" busy={fetching} stay={fetching} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** Warns that the oldest of three values stops. */
function PreviousValueWarning({ prefix, at }: { prefix: string | null; at: string }) {
  return (
    <Alert color="orange" variant="light">
      <Text size="sm">
        The value before the last rotation, <code>{prefix}…</code>, still works (<Moment at={at} />
        ). It stops at once if you rotate now.
      </Text>
    </Alert>
  )
}

/** Checks the key prefix after a lost answer. */
function RotationCheck({ row }: { row: KeyRow }) {
  const client = useClient()
  const [found, setFound] = useState<string>()
  const look = async () => {
    const { data } = await client.query(KeyInUseQuery, { id: row.id }, { requestPolicy: 'network-only' }).toPromise()
    if (data?.apiKey) setFound(data.apiKey.prefix)
  }
  if (found === undefined)
    return (
      <UnknownOutcomeNotice title="It is not known whether the key was rotated" action="Look" onAct={() => void look()}>
        The server did not answer. If the key no longer begins with {row.prefix}, it was rotated.
      </UnknownOutcomeNotice>
    )
  if (found === row.prefix)
    return (
      <Alert color="green" variant="light" role="status">
        The key was not rotated: it still begins with {found}.
      </Alert>
    )
  return (
    <Alert color="orange" variant="light" role="alert" title="The key was rotated">
      It now begins with {found}, but the new value is lost. Rotate again to get a value that you can use.
    </Alert>
  )
}

const overlaps = { None: '0', '1 hour': '1', '1 day': '24', '7 days': '168' }

type OverlapFieldProps = { prefix: string; value: string; error: string | undefined; onChange(value: string): void }

/** How many hours the old value stays valid. */
function OverlapField({ prefix, value, error, onChange }: OverlapFieldProps) {
  return (
    <Stack gap={6}>
      <TextInput
        label="Overlap"
        description={`How many hours ${prefix}… stays valid beside the new value. Use 0 if it has leaked: it then stops at once.`}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        classNames={{ input: 'tabular' }}
        data-autofocus
      />
      <Presets aria-label="Usual hours" values={overlaps} onChange={onChange} />
    </Stack>
  )
}
