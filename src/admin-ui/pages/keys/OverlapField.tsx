import { Button, Group, Stack, TextInput } from '@mantine/core'

const overlaps = [
  { words: 'None', hours: '0' },
  { words: '1 hour', hours: '1' },
  { words: '1 day', hours: '24' },
  { words: '7 days', hours: '168' },
]

type OverlapFieldProps = { prefix: string; value: string; error: string | undefined; onChange(value: string): void }

/** For how many hours the present value works on. */
export function OverlapField({ prefix, value, error, onChange }: OverlapFieldProps) {
  return (
    <Stack gap={6}>
      <TextInput
        label="Overlap"
        description={`Hours for which ${prefix}… works on beside the new value. 0 if it has leaked: then it stops at once.`}
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
