import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import type { Failure } from '../../api/failure.ts'
import { ToastWithAction } from './ToastWithAction.tsx'

type ToastAction = { label: string; onClick(): void }

/** Shows a success message for a moment; longer with an action. */
export function showSaved(message: string, action?: ToastAction): void {
  const id = notifications.show({
    message: action ? createElement(ToastWithAction, { message, label: action.label, onClick: () => act() }) : message,
    color: 'green',
    autoClose: action ? 12_000 : 4000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
  const act = () => {
    notifications.hide(id)
    action?.onClick()
  }
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
