import { Notifications, notifications } from '@mantine/notifications'

export function Toasts() {
  return <Notifications position="bottom-right" />
}

/** Shows a message once for any number of missing parts. Not in `notify.ts`, which the first page does not load. */
export function askToReload(): void {
  notifications.show({
    id: 'reload',
    message: 'A part of the page could not be loaded. Reload the page to continue.',
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
