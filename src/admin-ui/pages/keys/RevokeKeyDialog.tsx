import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import type { KeyDialogProps } from './EditKeyDialog.tsx'
import { describeLinks, describeRunning } from './keyLabels.ts'
import { KeyInUseQuery, RevokeKey } from './keyQueries.ts'

/** Revokes a key, after showing what stops and what continues. Contract: docs/contract.md#pages. */
export function RevokeKeyDialog({ row, opened, onClose }: KeyDialogProps) {
  const [, revoke] = useMutation(RevokeKey)
  const act = async () => {
    if (!row) return undefined
    const { error } = await revoke({ input: { id: row.id } })
    if (error) return failureOf(error)
    showSaved('The key is revoked.')
    return undefined
  }
  return (
    <ConfirmDialog opened={opened} title="Revoke key?" confirm="Revoke key" onConfirm={act} onClose={onClose}>
      {row && (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Every program that uses <bdi style={{ fontWeight: 600 }}>{row.name}</bdi> (<code>{row.prefix}…</code>) is refused from its next
            request on. This cannot be undone.
          </Text>
          {opened && <InUse id={row.id} />}
        </>
      )}
    </ConfirmDialog>
  )
}

function InUse({ id }: { id: string }) {
  const [{ data, error }, refetch] = useQuery({ query: KeyInUseQuery, variables: { id }, requestPolicy: 'network-only' })
  const failure = error && failureOf(error)
  if (failure)
    return (
      <ErrorNotice
        title="The running work of this key could not be counted"
        failure={failure}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  const key = data?.apiKey
  if (!key) return <Skeleton h={92} role="status" aria-label="Counting its running work" />
  return (
    <Stack gap={6}>
      <List size="sm" spacing={4} withPadding={false}>
        <List.Item>{describeRunning(key.runningGenerations)}</List.Item>
        <List.Item>{describeLinks(key.liveLinks)}</List.Item>
        <List.Item>
          Last used: <Moment at={key.lastUsedAt} otherwise="never" />
        </List.Item>
      </List>
      <Text size="xs" c="dimmed">
        Each result counts once: those with a link in responses and webhooks of the last 48 hours.
      </Text>
    </Stack>
  )
}
