import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useClient, useMutation, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showFailed } from '../../ui/feedback/notify.ts'
import { CopyField } from '../../ui/form/CopyField.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { RecoverDialog } from '../webhooks/RecoverDialog.tsx'
import { RotateSecretDialog } from '../webhooks/RotateSecretDialog.tsx'
import { VerifyIt } from '../webhooks/VerifyIt.tsx'
import { CallbackSecretQuery, FailingCallbacksQuery, type FailingHost, RotateCallbackSecret } from './callbackQueries.ts'

/** The secret of the callbacks of starts, and the hosts that fail. Contract: docs/contract.md#callbacks. */
export function Callbacks() {
  const { id: team } = useTeam()
  const [asked, setAsked] = useState<{ dialog: 'rotate' | 'recover'; opened: boolean }>()
  const [{ data, error }, reload] = useQuery({ query: FailingCallbacksQuery, variables: { team }, requestPolicy: 'cache-and-network' })
  const failing = data?.team?.failingCallbacks ?? []
  const ask = (dialog: 'rotate' | 'recover') => setAsked({ dialog, opened: true })
  const dialog = {
    opened: asked?.opened ?? false,
    onClose: () => setAsked((now) => now && { ...now, opened: false }),
    onClosed: () => setAsked(undefined),
  }
  return (
    <section aria-labelledby="callbacks">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="callbacks">
          Callbacks
        </Title>
        <Group gap="xs">
          <ShowSecret />
          <Button variant="default" onClick={() => ask('rotate')}>
            Rotate callback secret
          </Button>
        </Group>
      </Group>
      <Stack gap="xs">
        <Text c="dimmed">
          A start can name an address that is called when its generation ends. One secret of the team signs these calls.{' '}
          <Anchor component={Link} to={paths.screen(team, 'deliveries', { webhook: 'callbacks' })}>
            See their deliveries
          </Anchor>
        </Text>
        {error && <ErrorNotice title="Failing hosts could not be loaded" failure={failureOf(error)} onRetry={() => reload()} />}
        {failing.length > 0 && (
          <>
            <DataTable label="Failing hosts" columns={columns} rows={failing} keyOf={({ origin }) => origin} />
            <Group>
              <Button variant="default" onClick={() => ask('recover')}>
                Recover failed callbacks
              </Button>
            </Group>
          </>
        )}
      </Stack>
      {asked?.dialog === 'rotate' && <RotateCallbacks {...dialog} />}
      {asked?.dialog === 'recover' && (
        <RecoverDialog address="callbacks of generations" failedOf={{ callbacksOf: team }} filter="callbacks" {...dialog} />
      )}
    </section>
  )
}

const columns: Column<FailingHost>[] = [
  {
    name: 'Host',
    cell: ({ origin }) => (
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {origin}
      </Text>
    ),
  },
  { name: 'Last delivery', cell: ({ lastDeliveryOutcome }) => lastDeliveryOutcome && <StateBadge state={lastDeliveryOutcome} /> },
  { name: 'Failed attempts in 24 hours', align: 'right', cell: ({ health }) => health.failedAttempts.toLocaleString() },
  { name: 'Retrying', align: 'right', cell: ({ health }) => health.retrying.toLocaleString() },
]

/** Reads the secret on demand, because the service records who has read it. */
function ShowSecret() {
  const client = useClient()
  const { id: team } = useTeam()
  const [secret, setSecret] = useState<string>()
  const [opened, setOpened] = useState(false)
  const show = async () => {
    const { data, error } = await client.query(CallbackSecretQuery, { team }, { requestPolicy: 'network-only' }).toPromise()
    if (error) return showFailed('The secret could not be read', failureOf(error))
    setSecret(data?.team?.callbackSecret)
    setOpened(true)
  }
  return (
    <>
      <Button variant="default" onClick={() => void show()}>
        Show callback secret
      </Button>
      <FormDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onExitTransitionEnd={() => setSecret(undefined)}
        title="Callback secret"
        size="lg"
      >
        <Stack gap="md">
          {secret !== undefined && <CopyField label="Signing secret" copyName="Copy secret" value={secret} />}
          <VerifyIt />
        </Stack>
      </FormDialog>
    </>
  )
}

function RotateCallbacks(dialog: { opened: boolean; onClose(): void; onClosed(): void }) {
  const { id: teamId } = useTeam()
  const [, rotate] = useMutation(RotateCallbackSecret)
  const act = async (overlapHours: number) => {
    const { data, error } = await rotate({ input: { teamId, overlapHours } })
    return { secret: data?.rotateCallbackSecret.signingSecret, error }
  }
  return <RotateSecretDialog address="the callbacks of the team" rotate={act} {...dialog} />
}
