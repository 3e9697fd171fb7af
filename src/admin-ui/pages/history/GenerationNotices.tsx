import { Alert, Progress, Text } from '@mantine/core'
import { entriesOf, hintLabel, splitCamelCase } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

const waits: Partial<Record<Generation['state'], string>> = {
  QUEUED: 'Waiting for the model.',
  RUNNING: 'The model is running.',
  FINALIZING: 'The model has finished. The result is being stored.',
}

/** What unfinished work waits for. */
export function ProgressNotice({ generation: { state, progress, queuePosition } }: { generation: Generation }) {
  const words = waits[state]
  if (words === undefined) return null
  return (
    <Alert color={state === 'QUEUED' ? 'gray' : 'blue'} variant="light">
      <Text size="sm">
        {words}
        {queuePosition !== null && ` Number ${queuePosition} in its queue.`}
        {progress !== null && ` ${Math.round(progress * 100)}% done.`}
      </Text>
      {progress !== null && <Progress mt="xs" value={progress * 100} animated transitionDuration={400} aria-label="Progress" />}
    </Alert>
  )
}

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
