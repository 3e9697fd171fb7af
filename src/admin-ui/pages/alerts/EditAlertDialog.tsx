import { Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { FormButtons } from '../../ui/form/FormButtons.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { AlertKindChoices } from './AlertKindChoices.tsx'
import { type AlertSubscription, UpdateAlert } from './alertQueries.ts'

type EditAlertDialogProps = { alert: AlertSubscription; opened: boolean; onClose(): void; onClosed(): void }

/** Changes the alerts that an address receives. Its address cannot be changed. */
export function EditAlertDialog({ alert, opened, onClose, onClosed }: EditAlertDialogProps) {
  const [kinds, setKinds] = useState(alert.kinds)
  const [failure, setFailure] = useState<Failure>()
  const [{ fetching }, update] = useMutation(UpdateAlert)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { error } = await update({ input: { id: alert.id, kinds } })
    setFailure(error && failureOf(error))
    if (error) return
    showSaved('The alert was saved.')
    onClose()
  }
  const { kinds: atKinds } = issuesByField(failure)
  return (
    <FormDialog opened={opened} onClose={onClose} onExitTransitionEnd={onClosed} title="Edit alert">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            <WordBreaks text={alert.address} />
          </Text>
          <AlertKindChoices value={kinds} onChange={setKinds} error={atKinds} />
          {failure && atKinds === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Save" busy={fetching} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
