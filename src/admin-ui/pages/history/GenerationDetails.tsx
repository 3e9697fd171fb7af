import { Button, Group, Stack } from '@mantine/core'
import { IconArrowsMaximize } from '@tabler/icons-react'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { LinkFromList } from '../../ui/layout/LinkToList.tsx'
import { GenerationActions, GenerationSummary } from './GenerationActions.tsx'
import { GenerationCost } from './GenerationCost.tsx'
import { GenerationFacts } from './GenerationFacts.tsx'
import { FailureNotice, ProgressNotice } from './GenerationNotices.tsx'
import { GenerationTimeline } from './GenerationTimeline.tsx'
import type { Generation } from './historyQuery.ts'
import { Media } from './media/Media.tsx'
import { PromptText } from './PromptText.tsx'

/** The details of a generation, most important first. */
export function GenerationDetails({ generation, onChanged }: { generation: Generation; onChanged(): void }) {
  const { id: teamId } = useTeam()
  const { generationId, error, prompt } = generation
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm" align="flex-start">
        <GenerationSummary generation={generation} />
        <GenerationActions generation={generation} onChanged={onChanged} />
      </Group>
      <Media generation={generation} onRefresh={onChanged} />
      <ProgressNotice generation={generation} />
      {error && <FailureNotice error={error} />}
      {prompt !== null && prompt !== '' && <PromptText text={prompt} />}
      <Group>
        <Button
          component={LinkFromList}
          panel="generation"
          to={paths.generation(teamId, generationId)}
          size="xs"
          variant="default"
          leftSection={<IconArrowsMaximize size={14} aria-hidden />}
        >
          Open page
        </Button>
      </Group>
      <GenerationTimeline generation={generation} />
      <GenerationCost generation={generation} />
      <GenerationFacts generation={generation} />
    </Stack>
  )
}
