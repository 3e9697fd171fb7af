import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { CancelGeneration } from './CancelGeneration.tsx'
import { CostLines } from './CostLines.tsx'
import { DeleteResult } from './DeleteResult.tsx'
import { GenerationFacts } from './GenerationFacts.tsx'
import { describeFile, entriesOf, formatAxes, hintLabel, splitCamelCase } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'
import { Media } from './media/Media.tsx'
import { PromptText } from './PromptText.tsx'
import { resultPath } from './resultLinks.ts'

/** The details of a generation, most important first. */
export function GenerationDetails({ generation, onChanged }: { generation: Generation; onChanged(): void }) {
  const { mayManage } = useTeam()
  const { state, familyId, axes, createdAt, error, result, prompt } = generation
  const mayCancel = mayManage && generation.source !== 'EDITOR' && (state === 'QUEUED' || state === 'RUNNING')
  const path = resultPath(generation.generationId, result)
  const mayDelete = mayManage && (path !== undefined || typeof result?.text === 'string')
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <StateBadge state={state} />
            <Text size="sm" fw={500}>
              {[familyId, formatAxes(axes)].filter(Boolean).join(' · ')}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            Started <Moment at={createdAt} />
            {result && describeFile(result) !== '' && ` · ${describeFile(result)}`}
          </Text>
        </Stack>
        <Group gap="xs">
          {mayCancel && <CancelGeneration generation={generation} onChanged={onChanged} />}
          {mayDelete && <DeleteResult generation={generation} onChanged={onChanged} />}
          {path !== undefined && <Download path={path} />}
        </Group>
      </Group>
      <Media generation={generation} onRefresh={onChanged} />
      <ProgressNotice generation={generation} />
      {error && <FailureNotice error={error} />}
      {prompt !== null && prompt !== '' && <PromptText text={prompt} />}
      <CostLines generation={generation} />
      <GenerationFacts generation={generation} />
    </Stack>
  )
}

function Download({ path }: { path: string }) {
  return (
    <Button component="a" href={`${path}?download=1`} variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />}>
      Download
    </Button>
  )
}

const waits: Partial<Record<Generation['state'], string>> = {
  QUEUED: 'Waiting for the model.',
  RUNNING: 'The model is running.',
  FINALIZING: 'The model has finished. The result is being stored.',
}

function ProgressNotice({ generation: { state, progress, queuePosition } }: { generation: Generation }) {
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
function FailureNotice({ error }: { error: NonNullable<Generation['error']> }) {
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
