import { Button, Grid, Group, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link, useLocation, useParams } from 'react-router'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { FailedPage } from '../../ui/layout/FailedPage.tsx'
import { LinkToList } from '../../ui/layout/LinkToList.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { CopyActions } from './CopyActions.tsx'
import { GenerationActions, GenerationSummary } from './GenerationActions.tsx'
import { GenerationCost } from './GenerationCost.tsx'
import { GenerationDeliveries } from './GenerationDeliveries.tsx'
import { GenerationFacts } from './GenerationFacts.tsx'
import { FailureNotice, ProgressNotice } from './GenerationNotices.tsx'
import { GenerationTimeline } from './GenerationTimeline.tsx'
import { GenerationPageQuery } from './generationPageQuery.ts'
import type { Generation } from './historyQuery.ts'
import { GenerationInputs } from './inputs/GenerationInputs.tsx'
import { Media } from './media/Media.tsx'
import { PromptText } from './PromptText.tsx'
import { useGeneration } from './useGeneration.ts'

/** One generation with everything that is known about it. Contract: docs/contract.md#pages. */
export function GenerationPage() {
  const { generationId = '' } = useParams()
  const { generation, failure, refresh } = useGeneration(generationId, { followSeconds: 2 })
  if (generation) return <Shown key={generationId} generation={generation} onChanged={refresh} />
  if (!failure) return <BlockSkeleton height={420} />
  if (['generation_not_found', 'access_denied'].includes(failure.code)) return <NotFoundPage />
  return <FailedPage heading="Generation" list="history" title="The generation could not be loaded" failure={failure} onRetry={refresh} />
}

function Shown({ generation, onChanged }: { generation: Generation; onChanged(): void }) {
  const team = useTeam()
  const { generationId: id, prompt, error, inputs, finishedAt } = generation
  const [{ data }] = useQuery({
    query: GenerationPageQuery,
    // The deliveries begin with the end of the work.
    variables: { teamId: team.id, id, isManager: team.mayManage && finishedAt !== null },
  })
  const beside = data?.team
  return (
    <>
      <Group justify="space-between" align="flex-start" mb="xs" gap="xs">
        <LinkToList screen="history" />
        <Group gap="xs">
          <Neighbour name="Previous" id={beside?.generationNeighbours.newerId} />
          <Neighbour name="Next" id={beside?.generationNeighbours.olderId} />
        </Group>
      </Group>
      <PageHeading
        title="Generation"
        actions={
          <>
            <GenerationActions generation={generation} size="sm" onChanged={onChanged} />
            <CopyActions generation={generation} />
          </>
        }
      />
      <Grid gap={{ base: 'lg', md: 'xl' }}>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <GenerationSummary generation={generation} />
            <Media generation={generation} onRefresh={onChanged} large />
            <ProgressNotice generation={generation} />
            {error && <FailureNotice error={error} />}
            {prompt !== null && prompt !== '' && <PromptText text={prompt} />}
            <GenerationInputs inputs={inputs} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <GenerationTimeline generation={generation} />
            <GenerationCost generation={generation} />
            {beside?.generationDeliveries && <GenerationDeliveries deliveries={beside.generationDeliveries} />}
            <GenerationFacts generation={generation} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}

/** The generation beside this one, newer or older. */
function Neighbour({ name, id }: { name: 'Previous' | 'Next'; id: string | null | undefined }) {
  const { id: teamId } = useTeam()
  const { state } = useLocation()
  const icon = name === 'Previous' ? <IconChevronLeft size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />
  const common = { size: 'xs', variant: 'default', ...(name === 'Previous' ? { leftSection: icon } : { rightSection: icon }) } as const
  if (!id)
    return (
      <Button {...common} disabled>
        {name}
      </Button>
    )
  return (
    <Button {...common} component={Link} to={paths.generation(teamId, id)} state={state}>
      {name}
    </Button>
  )
}
