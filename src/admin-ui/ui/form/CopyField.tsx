import { Button, Group, TextInput, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useCopy } from '../hooks/useCopy.ts'

export type CopyFieldProps = {
  label: string
  /** The accessible name of its button: "Copy key". */
  copyName: string
  value: string
  description?: string
  onCopied?(): void
  /** Focuses the button when it appears, for a value that is shown once. */
  focusCopy?: boolean
}

/** A read-only field with a copy button. */
export function CopyField({ label, copyName, value, description, onCopied, focusCopy = false }: CopyFieldProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focusCopy) button.current?.focus()
  }, [focusCopy])
  const { copied, copy } = useCopy()
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        flex="1 1 220px"
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } }}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={() => onCopied?.()}
      />
      <Button
        ref={button}
        variant="default"
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy(value).then((done) => done && onCopied?.())}
      >
        {copyName}
      </Button>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </Group>
  )
}
