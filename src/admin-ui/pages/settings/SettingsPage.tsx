import { List, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { LowCreditsForm } from './LowCreditsForm.tsx'
import { RetentionForm } from './RetentionForm.tsx'
import { RunsForm } from './RunsForm.tsx'
import { SettingsQuery } from './settingsQueries.ts'

/** Who runs models, the threshold of low credits, the retention of the team's data, and the deletion of the team. */
export function SettingsPage() {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: SettingsQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  return (
    <>
      <PageHeading title="Settings" description={descriptions.settings} />
      <Stack gap="xl">
        {error && !data && (
          <ErrorNotice
            title="The settings could not be loaded"
            failure={failureOf(error)}
            onRetry={() => refetch({ requestPolicy: 'network-only' })}
          />
        )}
        {!error && !data && <BlockSkeleton height={480} />}
        {data?.team && (
          <>
            <Section id="runs" title="Runs">
              <Paper withBorder p="md">
                <RunsForm runs={data.team} />
              </Paper>
            </Section>
            <Section id="low-credits" title="Low credits">
              <Paper withBorder p="md">
                <LowCreditsForm threshold={data.team.lowCreditsThreshold} />
              </Paper>
            </Section>
            <Section id="retention" title="Retention">
              <Paper withBorder p="md">
                <RetentionForm retention={data.team.retention} />
              </Paper>
            </Section>
          </>
        )}
        <Section id="kept" title="Kept in any case">
          <List size="sm" spacing={4} maw="80ch">
            <List.Item>The statement and the charges by day, key and family: forever. They contain no prompts.</List.Item>
            <List.Item>The audit log: 400 days.</List.Item>
            <List.Item>Unused files: 30 days. The delivery log: 30 days, or as long as the history if that is shorter.</List.Item>
            <List.Item>A result that running work uses, and an undelivered event: until the work or the delivery ends.</List.Item>
            <List.Item>Copies in backups of your operator: as long as the backups.</List.Item>
          </List>
          <Text size="sm" mt="sm" c="dimmed">
            To get all data of the team as files: {askOperatorTo('export the team')}
          </Text>
        </Section>
        <Section id="danger" title="Danger zone">
          <DeleteTeam />
        </Section>
      </Stack>
    </>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
