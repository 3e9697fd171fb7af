import { ActionIcon, Box, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './CodeBlock.module.css'
import { useCopy } from './useCopy.ts'

/** Lines to paste into a terminal or a program, under their name: `Try it`, `Verify it`. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const { copied, copy } = useCopy()
  const labelId = useId()
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500} id={labelId}>
          {label}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label="Copy code" onClick={() => void copy(code)}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Group>
      <section aria-labelledby={labelId} tabIndex={0} className={classes.scroll}>
        <pre className={classes.code}>
          <code>{code}</code>
        </pre>
      </section>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </Box>
  )
}
