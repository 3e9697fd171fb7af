import { Button, Group, Stack, TextInput } from '@mantine/core'

const overlaps = [
  { words: 'None', hours: '0' },
  { words: '1 hour', hours: '1' },
  { words: '1 day', hours: '24' },
  { words: '7 days', hours: '168' },
]

type OverlapFieldProps = { prefix: string; value: string; error: string | undefined; onChange(value: string): void }

/** How many hours the old value stays valid. */
export function OverlapField({ prefix, value, error, onChange }: OverlapFieldProps) {
  return (
    <Stack gap={6}>
      <TextInput
        label="Overlap"
        description={`How many hours ${prefix}… stays valid beside the new value. Use 0 if it has leaked: it then stops at once.`}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        classNames={{ input: 'tabular' }}
        data-autofocus
      />
      <Group gap={6} role="group" aria-label="Usual hours">
        {overlaps.map(({ words, hours }) => (
          <Button key={hours} variant="default" size="compact-xs" onClick={() => onChange(hours)}>
            {words}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
