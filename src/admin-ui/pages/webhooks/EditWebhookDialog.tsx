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
import { EventChoices } from './EventChoices.tsx'
import { UpdateWebhook } from './useWebhookActions.ts'
import type { WebhookDialogProps } from './webhookDialogProps.ts'

/** Changes the events of a webhook. Its address cannot be changed. */
export function EditWebhookDialog({ webhook, opened, onClose, onClosed }: WebhookDialogProps) {
  const [events, setEvents] = useState(webhook.events)
  const [failure, setFailure] = useState<Failure>()
  const [{ fetching }, update] = useMutation(UpdateWebhook)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { error } = await update({ input: { id: webhook.id, events } })
    setFailure(error && failureOf(error))
    if (error) return
    showSaved('The webhook was saved.')
    onClose()
  }
  const { events: atEvents } = issuesByField(failure)
  return (
    <FormDialog opened={opened} onClose={onClose} onExitTransitionEnd={onClosed} title="Edit webhook">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            <WordBreaks text={webhook.address} />
          </Text>
          <EventChoices value={events} onChange={setEvents} error={atEvents} />
          {failure && atEvents === undefined && <ErrorNotice failure={failure} />}
          <FormButtons submit="Save" busy={fetching} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
