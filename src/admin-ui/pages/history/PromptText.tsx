import { ActionIcon, Box, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId } from 'react'
import { useCopy } from '../../ui/hooks/useCopy.ts'
import classes from './GenerationDetails.module.css'

/** A text of a person or a model, in full, rendered as plain text. */
export function PromptText({ text, label = 'Prompt' }: { text: string; label?: string }) {
  const { copied, copy } = useCopy()
  const id = useId()
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${label.toLowerCase()}`} onClick={() => void copy(text)}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Group>
      <section aria-labelledby={id} tabIndex={0} className={classes.text}>
        {text}
      </section>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </Box>
  )
}
