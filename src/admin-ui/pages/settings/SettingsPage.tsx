import { List, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageGuard } from '../../ui/form/PageGuard.tsx'
import { useDraft } from '../../ui/form/useDraft.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { type LowCreditsFields, LowCreditsForm } from './LowCreditsForm.tsx'
import { RetentionForm } from './RetentionForm.tsx'
import { type RunsFields, RunsForm } from './RunsForm.tsx'
import type { DaysFields } from './retentionDays.ts'
import { SettingsQuery, type SettingsTeam } from './settingsQueries.ts'

/** Who runs models, the threshold of low credits, the retention of the team's data, and the deletion of the team. */
export function SettingsPage() {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: SettingsQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  const forms = useForms(data?.team ?? undefined)
  return (
    <PageGuard changed={forms.filter(({ draft }) => draft.isChanged).map(({ title }) => title)}>
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
        {data?.team &&
          forms.map(({ id: section, title, form }) => (
            <Section key={section} id={section} title={title}>
              <Paper withBorder p="md">
                {form}
              </Paper>
            </Section>
          ))}
        <Kept />
        <Section id="danger" title="Danger zone">
          <DeleteTeam />
        </Section>
      </Stack>
    </PageGuard>
  )
}

function Kept() {
  return (
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
  )
}

/** The forms of the page, each with its own draft. */
function useForms(team: SettingsTeam | undefined) {
  const { lowCreditsThreshold, membersMayRun, runDailyLimitCredits, retention } = team ?? {}
  const runs = useDraft<RunsFields>({ membersMayRun: membersMayRun ?? false, limit: runDailyLimitCredits ?? '' })
  const lowCredits = useDraft<LowCreditsFields>({ credits: lowCreditsThreshold ?? '' })
  const days = useDraft<DaysFields>({ mediaDays: retention?.mediaDays ?? '', historyDays: retention?.historyDays ?? '' })
  return [
    { id: 'runs', title: 'Runs', draft: runs, form: <RunsForm draft={runs} /> },
    { id: 'low-credits', title: 'Low credits', draft: lowCredits, form: <LowCreditsForm draft={lowCredits} /> },
    {
      id: 'retention',
      title: 'Retention',
      draft: days,
      form: <RetentionForm draft={days} deploymentDays={retention?.deploymentHistoryDays ?? null} />,
    },
  ]
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
