import { Anchor, Group, Text } from '@mantine/core'

export type ToastWithActionProps = { message: string; label: string; onClick(): void }

/** A message with a way back from what was done: `Undo`. */
export function ToastWithAction({ message, label, onClick }: ToastWithActionProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" flex={1}>
        {message}
      </Text>
      <Anchor component="button" type="button" size="sm" fw={600} onClick={onClick}>
        {label}
      </Anchor>
    </Group>
  )
}
