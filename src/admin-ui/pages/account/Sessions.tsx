import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type OperationContext, useMutation, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { base, paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { EndSession, EndSessions, type OwnSession, SessionsQuery } from './accountQueries.ts'
import { browserName } from './browserName.ts'

const context: Partial<OperationContext> = { additionalTypenames: ['Session'], requestPolicy: 'cache-and-network' }

/** The browsers in which the person is signed in. */
export function Sessions() {
  const [{ data, error }, refetch] = useQuery({ query: SessionsQuery, context })
  const [asking, setAsking] = useState(false)
  const [, endAll] = useMutation(EndSessions)
  const leaveEverywhere = async () => {
    const { error: failed } = await endAll({})
    if (failed) return failureOf(failed)
    // A full page load, so that no data of this person stays in memory.
    location.assign(`${base}${paths.signIn()}`)
    return undefined
  }
  return (
    <section aria-labelledby="sessions">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="sessions">
          Sessions
        </Title>
        <Button variant="default" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </Group>
      {error && !data && (
        <ErrorNotice
          title="The sessions could not be loaded"
          failure={failureOf(error)}
          onRetry={() => refetch({ requestPolicy: 'network-only' })}
        />
      )}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data && <DataTable label="Sessions" columns={columns} rows={data.sessions} keyOf={({ id }) => id} />}
      <ConfirmDialog
        opened={asking}
        title="Sign out everywhere?"
        confirm="Sign out"
        onConfirm={leaveEverywhere}
        onClose={() => setAsking(false)}
      >
        <Text>All your sessions end at once, also this one. Your keys and agents keep working.</Text>
      </ConfirmDialog>
    </section>
  )
}

const columns: Column<OwnSession>[] = [
  {
    name: 'Browser',
    cell: ({ userAgent, current }) => (
      <Group gap="xs">
        <span title={userAgent ?? undefined}>{browserName(userAgent)}</span>
        {current && <TextBadge word="This one" color="gray" />}
      </Group>
    ),
  },
  { name: 'Address', cell: ({ address }) => <span style={{ overflowWrap: 'anywhere' }}>{address ?? '–'}</span> },
  { name: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ lastUsedAt, current }) => (current ? 'now' : <Moment at={lastUsedAt} />) },
  { name: 'Actions', hiddenName: true, align: 'right', cell: (session) => !session.current && <End session={session} /> },
]

function End({ session: { id, userAgent } }: { session: OwnSession }) {
  const [{ fetching }, end] = useMutation(EndSession)
  const act = async () => {
    const { error } = await end({ input: { id } }, { additionalTypenames: ['Session'] })
    if (error) showFailed('The session was not ended', failureOf(error))
    else showSaved('The session has ended.')
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={fetching}
      aria-label={`Sign out ${browserName(userAgent)}`}
      onClick={() => void act()}
    >
      Sign out
    </Button>
  )
}
