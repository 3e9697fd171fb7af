import { Alert, Text } from '@mantine/core'
import { entriesOf, hintLabel, splitCamelCase } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

/** Why the generation failed, and what to do about it; the codes for programs are below. */
export function FailureNotice({ error }: { error: NonNullable<Generation['error']> }) {
  const hint = hintLabel(error.hint)
  const numbers = entriesOf(error.details).map(([name, value]) => `${splitCamelCase(name)} ${String(value)}`)
  return (
    <Alert color="red" variant="light" title={error.message}>
      {hint !== undefined && <Text size="sm">{hint}</Text>}
      {numbers.length > 0 && (
        <Text size="sm" mt={4} className="tabular">
          {numbers.join(' · ')}
        </Text>
      )}
      <Text size="xs" ff="monospace" c="dimmed" mt="xs">
        {error.code} / {error.reason}
      </Text>
    </Alert>
  )
}
