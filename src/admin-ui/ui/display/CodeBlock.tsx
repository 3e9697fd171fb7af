import { ActionIcon, Box, Group, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId } from 'react'
import { useCopy } from '../hooks/useCopy.ts'
import classes from './CodeBlock.module.css'

type CodeBlockProps = {
  label: string
  code: string
  /** Renders the label as a heading. */
  heading?: boolean
  /** Wraps long lines, for shell commands. Programs are easier to read without wrapping. */
  wrap?: boolean
  /** In pixels. Longer code scrolls. */
  heightMax?: number
}

/** Code to read or copy, with a label such as `Try it`. */
export function CodeBlock({ label, code, heading = false, wrap = false, heightMax }: CodeBlockProps) {
  const { copied, copy } = useCopy()
  const labelId = useId()
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        {heading ? (
          <Title order={3} id={labelId}>
            {label}
          </Title>
        ) : (
          <Text size="sm" fw={500} id={labelId}>
            {label}
          </Text>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label="Copy code" onClick={() => void copy(code)}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Group>
      <section aria-labelledby={labelId} tabIndex={0} className={classes.scroll} style={{ maxHeight: heightMax }}>
        <pre className={classes.code} data-wrap={wrap || undefined}>
          <code>{code}</code>
        </pre>
      </section>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </Box>
  )
}
