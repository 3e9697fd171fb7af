import { Button, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { type FullDelivery, Redeliver } from './deliveriesQuery.ts'
import { kindNames } from './deliveryNames.ts'

/** Sends the same body with the same identifier again, whatever the state. */
export function SendAgain({ delivery: { id, kind, subscription, alertSubscription }, onSent }: { delivery: FullDelivery; onSent(): void }) {
  const [{ fetching, error }, redeliver] = useMutation(Redeliver)
  const send = async () => {
    const answer = await redeliver({ input: { deliveryId: id } })
    if (answer.error) return
    showSaved('The delivery will be sent again.')
    onSent()
  }
  const receiver = subscription ?? alertSubscription
  const why = receiver ? disabledReason(receiver, kindNames[kind].toLowerCase()) : undefined
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        loading={fetching}
        disabled={why !== undefined}
        onClick={() => void send()}
      >
        Send again
      </Button>
      {why !== undefined && (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      )}
      {error && <ErrorNotice title="The delivery could not be sent again" failure={failureOf(error)} />}
    </Stack>
  )
}

function disabledReason({ paused, deletedAt }: NonNullable<FullDelivery['subscription']>, name: string): string | undefined {
  if (deletedAt !== null) return `The ${name} was deleted, so this cannot be sent again.`
  return paused ? `The ${name} is paused. Resume it to send this again.` : undefined
}
