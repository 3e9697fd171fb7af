import { ActionIcon, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from '../hooks/useCopy.ts'

/** An identifier in one line with a button that copies it. `name`: `key ID`. */
export function CopyableId({ name, id }: { name: string; id: string }) {
  const { copied, copy } = useCopy()
  return (
    <Group gap={4} wrap="nowrap">
      <Text span ff="monospace" size="xs" truncate title={id}>
        {id}
      </Text>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${name}`} onClick={() => void copy(id)}>
        {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      </ActionIcon>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </Group>
  )
}
