import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

const pauseMs = 250

export type FilterTextProps = {
  label: string
  placeholder?: string
  /** What counts now, as the address has it. */
  value: string | undefined
  /** Told when the typing pauses, or the field is left. */
  onChange(value: string | undefined): void
  /** What is kept of what is typed or pasted. */
  keep?(text: string): string
}

/** A filter that is typed. The field keeps what is typed itself: an address that changes with each letter would come too late for the next. */
export function FilterText({ label, placeholder, value = '', onChange, keep = (text) => text }: FilterTextProps) {
  const [typed, setTyped] = useState<string>()
  const told = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // What was told comes back by the address; anything else there was chosen elsewhere, and counts from here on.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(undefined)
  }, [value])

  const emitChange = (text: string) => {
    clearTimeout(timer.current)
    told.current = text
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
      w={{ base: '100%', xs: 240 }}
    />
  )
}
