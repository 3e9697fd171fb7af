import { useMounted } from '@mantine/hooks'

/** `opened`, but false at the first render: a dialog returns the focus only if it was mounted before it opened. For lazy dialogs. */
export function useOpenedAfterMount(opened: boolean): boolean {
  return useMounted() && opened
}
