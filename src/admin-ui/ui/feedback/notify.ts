import { notifications } from '@mantine/notifications'
import type { Failure } from '../../api/failure.ts'

/** Shows a success message for a moment. */
export function showSaved(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4000, closeButtonProps: { 'aria-label': 'Dismiss' } })
}

/** Shows a failure until it is dismissed. */
export function showFailed(title: string, { message, requestId }: Failure): void {
  const words = requestId === undefined ? message : `${message} (request ${requestId})`
  notifications.show({
    title,
    message: words,
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
