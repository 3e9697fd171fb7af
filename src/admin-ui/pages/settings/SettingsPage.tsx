import { List, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { RetentionForm } from './RetentionForm.tsx'
import { SettingsQuery } from './settingsQueries.ts'

/** How long the team keeps what it has made, and its end. */
export function SettingsPage() {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: SettingsQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  return (
    <>
      <PageHeading title="Settings" description="How long the team keeps what it has made, and its end." />
      <Stack gap="xl">
        <Section id="retention" title="Retention">
          {error && !data ? (
            <ErrorNotice
              title="The settings could not be loaded"
              failure={failureOf(error)}
              onRetry={() => refetch({ requestPolicy: 'network-only' })}
            />
          ) : data?.team ? (
            <Paper withBorder p="md">
              <RetentionForm retention={data.team.retention} />
            </Paper>
          ) : (
            <BlockSkeleton height={150} />
          )}
        </Section>
        <Section id="kept" title="What is kept in any case">
          <List size="sm" spacing={4} maw="80ch">
            <List.Item>The statement and what was charged by day, key and family: for ever. They hold no prompts.</List.Item>
            <List.Item>The audit log: 400 days.</List.Item>
            <List.Item>
              Files that no work has used: 30 days. The log of deliveries: 30 days, or as long as the history if that is shorter.
            </List.Item>
            <List.Item>A result that running work needs, and an event that is still to be delivered: until then.</List.Item>
            <List.Item>Copies in your operator's backups: as long as those.</List.Item>
          </List>
          <Text size="sm" mt="sm" c="dimmed">
            To have all that the team has as files: {askOperatorTo('export the team')}
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
