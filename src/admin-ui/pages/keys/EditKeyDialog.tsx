import { Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useErrorFocus } from '../../ui/form/useErrorFocus.ts'
import { changesOf, type FieldErrors, fieldsOf, hasErrors, readKeyFields, splitRefusal } from './keyForm.ts'
import { type KeyRow, UpdateKey } from './keyQueries.ts'
import { Scopes } from './Scopes.tsx'
import { SettingsFields } from './SettingsFields.tsx'

/** Dialogs of a row stay mounted, so that the focus returns to its origin. `row` is the last chosen row. */
export type KeyDialogProps = { row: KeyRow | undefined; opened: boolean; onClose(): void }

/** Changes the name, ceilings and expiry of a key. */
export function EditKeyDialog({ row, opened, onClose }: KeyDialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Edit key" size="lg">
      {row && <EditForm row={row} onClose={onClose} />}
    </FormDialog>
  )
}

function EditForm({ row, onClose }: { row: KeyRow; onClose(): void }) {
  const [{ fetching }, update] = useMutation(UpdateKey)
  // The values when the dialog opened, even when the list is updated meanwhile.
  const [before] = useState(() => fieldsOf(row))
  const [fields, setFields] = useState(before)
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useErrorFocus(errors)
  const [failure, setFailure] = useState<Failure>()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { settings, errors: fieldErrors } = readKeyFields(fields, new Date())
    // An unchanged expiry may be in the past.
    const found = fields.expiresAt === before.expiresAt ? { ...fieldErrors, expiresAt: undefined } : fieldErrors
    setErrors(found)
    setFailure(undefined)
    if (hasErrors(found)) return
    const changed = changesOf(before, fields, settings)
    if (Object.keys(changed).length === 0) return onClose()
    const { error } = await update({ input: { id: row.id, ...changed } })
    const refusal = splitRefusal(error && failureOf(error))
    setErrors(refusal.errors)
    setFailure(refusal.failure)
    if (error) return
    showSaved('The key was saved.')
    onClose()
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <SettingsFields
          forAgents={row.scopes.includes('MCP')}
          fields={fields}
          errors={errors}
          onChange={(changed) => setFields((now) => ({ ...now, ...changed }))}
        />
        <div>
          <Text size="sm" fw={500} mb={6}>
            Scopes
          </Text>
          <Scopes scopes={row.scopes} />
          <Text size="xs" c="dimmed" mt={6}>
            Scopes cannot be changed after a key is issued. To use other scopes, issue another key.
          </Text>
        </div>
        {row.state === 'REVOKED' && (
          <Text size="sm" c="dimmed">
            This key is revoked. Changes do not restore it.
          </Text>
        )}
        {failure && <ErrorNotice title="The key was not saved" failure={failure} />}
        <FormButtons submit="Save" busy={fetching} onCancel={onClose} />
      </Stack>
    </form>
  )
}
