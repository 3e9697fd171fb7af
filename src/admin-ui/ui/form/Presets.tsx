import { Button, Group, type GroupProps } from '@mantine/core'
import { use } from 'react'
import { MarkChangedContext } from './FormGuard.tsx'

type PresetsProps<Value> = Omit<GroupProps, 'onChange'> & {
  'aria-label': string
  /** The values by the labels of their buttons. */
  values: Readonly<Record<string, Value>>
  onChange(value: Value): void
}

/** Buttons that fill in a field. */
export function Presets<Value>({ values, onChange, ...group }: PresetsProps<Value>) {
  const markChanged = use(MarkChangedContext)
  const choose = (value: Value) => {
    onChange(value)
    markChanged()
  }
  return (
    <Group gap={6} role="group" {...group}>
      {Object.entries(values).map(([words, value]) => (
        <Button key={words} variant="default" size="compact-xs" onClick={() => choose(value)}>
          {words}
        </Button>
      ))}
    </Group>
  )
}
