import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { fieldSize } from './DeferredField.tsx'

const pauseMs = 250

export type FilterTextProps = {
  label: string
  placeholder?: string
  /** The current value in the URL. */
  value: string | undefined
  /** Called when typing pauses or the field loses the focus. */
  onChange(value: string | undefined): void
  /** Transforms typed or pasted text. */
  keep?(text: string): string
}

/** A text filter. It keeps the typed text itself, because the URL would be updated too late for fast typing. */
export function FilterText({ label, placeholder, value = '', onChange, keep = (text) => text }: FilterTextProps) {
  const [typed, setTyped] = useState<string>()
  const lastEmitted = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The own change comes back through the URL. Any other value was set elsewhere and replaces the text.
  useEffect(() => {
    if (value === lastEmitted.current) return
    lastEmitted.current = value
    setTyped(undefined)
  }, [value])

  const emitChange = (text: string) => {
    clearTimeout(timer.current)
    lastEmitted.current = text
    if (text !== value) onChange(text === '' ? undefined : text)
  }
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed ?? value}
      onChange={(event) => {
        const text = keep(event.currentTarget.value)
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => emitChange(text), pauseMs)
      }}
      onBlur={() => typed !== undefined && emitChange(typed)}
      {...fieldSize({ ownRow: true, width: 240 })}
    />
  )
}
