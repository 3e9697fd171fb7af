import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { type OperationContext, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import { Facts } from '../../ui/display/Facts.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useLastData } from '../../ui/hooks/useLastData.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { FailedPage } from '../../ui/layout/FailedPage.tsx'
import { LinkToList } from '../../ui/layout/LinkToList.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { PageSection } from '../../ui/layout/PageSection.tsx'
import { RecentEntries } from '../audit/RecentEntries.tsx'
import { RecentGenerations, RecentGenerationsQuery } from '../history/RecentGenerations.tsx'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { FailureCounts } from './FailureCounts.tsx'
import { KeyChart } from './KeyChart.tsx'
import { KeyRefusals } from './KeyRefusals.tsx'
import { type KeyAction, KeyState } from './KeyTable.tsx'
import { KeyQuery, type KeyRow } from './keyQueries.ts'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'
import { Scopes } from './Scopes.tsx'
import { SpendToday } from './SpendToday.tsx'

const context: Partial<OperationContext> = { additionalTypenames: ['ApiKey'], requestPolicy: 'cache-and-network' }
const refreshSeconds = 30

/** One key: its settings, spend, generations, failures and changes. Contract: docs/contract.md#pages. */
export function KeyPage() {
  const { keyId = '' } = useParams()
  const team = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: KeyQuery, variables: { id: keyId }, context })
  const reload = () => refetch({ requestPolicy: 'network-only' })
  usePollWhileVisible(refreshSeconds, async () => reload())
  const key = useLastData(data?.apiKey, error)
  if (key?.id === keyId && key.team?.id === team.id) return <KeyDetails row={key} />
  if (error && failureOf(error).code !== 'access_denied')
    return <FailedPage heading="API key" list="keys" title="The key could not be loaded" failure={failureOf(error)} onRetry={reload} />
  return error || data ? <NotFoundPage /> : <BlockSkeleton height={240} />
}

function KeyDetails({ row }: { row: KeyRow }) {
  const { id: team } = useTeam()
  const [dialog, setDialog] = useState<KeyAction>()
  const close = () => setDialog(undefined)
  return (
    <>
      <LinkToList screen="keys" />
      <PageHeading
        title={row.name}
        description="API key"
        actions={
          <>
            <Button variant="default" disabled={row.state === 'REVOKED'} onClick={() => setDialog('revoke')}>
              Revoke
            </Button>
            <Button variant="default" disabled={row.state !== 'LIVE'} onClick={() => setDialog('rotate')}>
              Rotate
            </Button>
            <Button onClick={() => setDialog('edit')}>Edit</Button>
          </>
        }
      />
      <Stack gap="xl">
        <Facts facts={factsOf(row)} />
        <KeyChart keyId={row.id} />
        <KeyGenerations keyId={row.id} />
        <PageSection title="Refusals by code">
          <KeyRefusals keyId={row.id} />
        </PageSection>
        <PageSection title="Changes" more={{ to: paths.screen(team, 'audit', { subject: row.id }), words: 'Audit log' }}>
          <RecentEntries subjectId={row.id} />
        </PageSection>
      </Stack>
      <EditKeyDialog row={row} opened={dialog === 'edit'} onClose={close} />
      <RotateKeyDialog row={row} opened={dialog === 'rotate'} onClose={close} />
      <RevokeKeyDialog row={row} opened={dialog === 'revoke'} onClose={close} />
    </>
  )
}

/** The newest generations, and the codes of the newest failures. */
function KeyGenerations({ keyId }: { keyId: string }) {
  const { id: team } = useTeam()
  const [{ data, error }, refetch] = useQuery({
    query: RecentGenerationsQuery,
    variables: { team, keyId },
    requestPolicy: 'cache-and-network',
  })
  const found = data?.team
  const retry = () => refetch({ requestPolicy: 'network-only' })
  return (
    <>
      <PageSection title="Last generations" more={{ to: paths.screen(team, 'history', { key: keyId }), words: 'All in the history' }}>
        {found && <RecentGenerations rows={found.latest.nodes} />}
        {!found && !error && <BlockSkeleton height={120} />}
        {!found && error && <ErrorNotice title="The generations could not be loaded" failure={failureOf(error)} onRetry={retry} />}
      </PageSection>
      {found && (
        <PageSection title="Failures by code">
          <FailureCounts failures={found.failures.nodes} />
        </PageSection>
      )}
    </>
  )
}

function factsOf(row: KeyRow) {
  return [
    ['State', <KeyState key="state" row={row} />],
    ['Spent today', <SpendToday key="spend" {...row} />],
    ['Scopes', <Scopes key="scopes" scopes={row.scopes} />],
    [
      'Starts with',
      <Text key="prefix" span inherit ff="monospace">
        {row.prefix}…
      </Text>,
    ],
    ['Issued by', row.issuedBy.name],
    ['Issued', <Moment key="issued" at={row.createdAt} />],
    ['Last used', <Moment key="used" at={row.lastUsedAt} otherwise="never" />],
    ['Key ID', <CopyableId key="id" name="key ID" id={row.id} />],
  ] as const
}
