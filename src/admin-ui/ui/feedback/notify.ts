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

/** Offers to load the page again, once for any number of parts that are missing. */
export function offerReload(): void {
  notifications.show({
    id: 'reload',
    message: createElement(ToastWithAction, {
      message: 'A part of the page could not be loaded. Atelier was updated, or the connection is interrupted.',
      label: 'Reload',
      onClick: () => location.reload(),
    }),
    color: 'blue',
    autoClose: false,
    role: 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
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
