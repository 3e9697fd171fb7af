import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { descriptions, paths } from '../../paths.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { lastDays } from '../usage/usageSpan.ts'
import { Attention } from './Attention.tsx'
import { attentionPoints, noAttentionText } from './attentionPoints.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { LatestMedia } from './LatestMedia.tsx'
import { OverviewCards } from './OverviewCards.tsx'
import type { OverviewTeam } from './overviewQuery.ts'
import { useOverview } from './useOverview.ts'

const spanDays = 30
const mediaMax = 12

/** The state of the team at a glance. Contract: docs/contract.md#pages. */
export function OverviewPage() {
  const now = useNow()
  const { overview, failure, reload } = useOverview(lastDays(spanDays, now))
  return (
    <>
      <PageHeading title="Overview" description={descriptions.overview} />
      {failure && !overview && <ErrorNotice title="The overview could not be loaded" failure={failure} onRetry={reload} />}
      {!overview && !failure && <OverviewSkeleton />}
      {overview && <Contents team={overview} now={now} />}
    </>
  )
}

function Contents({ team, now }: { team: OverviewTeam; now: number }) {
  const withMedia = team.generations.nodes.filter(({ result }) => result?.url).slice(0, mediaMax)
  return (
    <Stack gap="xl">
      <FirstSteps team={team} />
      <OverviewCards team={team} />
      <Attention points={attentionPoints(team, now)} emptyText={noAttentionText(team)} />
      {withMedia.length > 0 && (
        <section aria-labelledby="latest">
          <Group justify="space-between" mb="xs">
            <Title order={2} id="latest">
              Latest media
            </Title>
            <Anchor component={Link} to={paths.screen(team.id, 'history')} size="sm">
              All in the history
            </Anchor>
          </Group>
          <LatestMedia generations={withMedia} />
        </section>
      )}
      {withMedia.length === 0 && <Text c="dimmed">No media yet. The latest images, videos, sounds and models appear here.</Text>}
    </Stack>
  )
}

function OverviewSkeleton() {
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {[1, 2, 3].map((place) => (
          <BlockSkeleton key={place} height={130} />
        ))}
      </SimpleGrid>
      <BlockSkeleton height={260} />
    </Stack>
  )
}
