import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { MomentField } from '../../ui/form/DateFields.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { Presets } from '../../ui/form/Presets.tsx'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const spans = { 'Last hour': hourMs, 'Last 24 hours': 24 * hourMs, 'Last 7 days': 7 * 24 * hourMs }
const figures = new Intl.NumberFormat()

type RecoverDialogProps = {
  /** The receiver, as the dialog names it. */
  address: string
  failedOf: FailedOf
  /** The value of the filter `Webhook` in the log that shows their progress. */
  filter: string
  /** When a webhook that the service paused began to fail: the initial value of the field `Since`, which is a day ago by default. */
  failedSince?: string | undefined
  opened: boolean
  onClose(): void
  onClosed(): void
}

/** Sends failed deliveries since a time again, and shows their number. */
export function RecoverDialog({ address, failedOf, filter, failedSince, opened, onClose, onClosed }: RecoverDialogProps) {
  const [since, setSince] = useState<string | undefined>(() =>
    minuteOf(failedSince ? Date.parse(failedSince) : Date.now() - spans['Last 24 hours']),
  )
  const { count, isRunning, isDone, failure, start, stop, reset } = useRecover(failedOf)
  const changeSince = (value: string | undefined) => {
    setSince(value)
    if (!isRunning) reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (since !== undefined) void start(since)
  }
  return (
    <FormDialog opened={opened} onClose={onClose} onExitTransitionEnd={onClosed} title="Recover failed" asks={!isDone}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text style={{ overflowWrap: 'anywhere' }}>
            Sends every failed delivery to{' '}
            <Text span ff="monospace" size="sm">
              <WordBreaks text={address} />
            </Text>{' '}
            again, with the same identifier and body.
          </Text>
          {failedSince && (
            <Text size="sm">
              The proposed time is when the webhook began to fail. So events that failed in the days before the pause are sent too, not only
              those kept during it.
            </Text>
          )}
          <SinceField value={since} onChange={changeSince} error={since === undefined ? 'Enter a day and a time.' : undefined} />
          <div role="status">
            {isRunning && <Text size="sm">{figures.format(count)} sent again so far…</Text>}
            {isDone && <Outcome count={count} filter={filter} />}
          </div>
          {failure && <ErrorNotice failure={failure} />}
          <Group justify="flex-end" gap="xs">
            <Button variant={isDone ? 'filled' : 'default'} onClick={isRunning ? stop : onClose}>
              {isRunning ? 'Stop' : isDone ? 'Close' : 'Cancel'}
            </Button>
            <Button type="submit" variant={isDone ? 'default' : 'filled'} loading={isRunning} disabled={since === undefined}>
              Recover
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}

type SinceFieldProps = { value: string | undefined; onChange(value: string | undefined): void; error: string | undefined }

function SinceField({ value, onChange, error }: SinceFieldProps) {
  return (
    <>
      <MomentField
        label="Since"
        description="Includes events from this time on, in your time zone."
        value={value}
        onChange={onChange}
        error={error}
        strict
        data-autofocus
      />
      <Presets aria-label="Usual spans" values={spans} onChange={(ms) => onChange(minuteOf(Date.now() - ms))} />
    </>
  )
}

/** The start of the minute, because the field shows no seconds. */
function minuteOf(at: number): string {
  return new Date(Math.floor(at / minuteMs) * minuteMs).toISOString()
}

function Outcome({ count, filter }: { count: number; filter: string }) {
  const team = useTeam()
  return (
    <Group gap="xs">
      <Text fw={500}>{formatResentCount(count)}</Text>
      {count > 0 && (
        <Anchor component={Link} to={paths.screen(team.id, 'deliveries', { webhook: filter })}>
          See their progress
        </Anchor>
      )}
    </Group>
  )
}

function formatResentCount(count: number): string {
  if (count === 0) return 'No delivery has failed since then.'
  return count === 1 ? '1 delivery will be sent again.' : `${figures.format(count)} deliveries will be sent again.`
}

const Recover = graphql(`
  mutation RecoverFailed($input: RedeliverFailedInput!) {
    redeliverFailed(input: $input)
  }
`)

/** Deliveries per request, so that each request takes seconds and the user can stop in between. */
const atOnce = 5_000

type FailedOf = { subscriptionId: string } | { callbacksOf: string }

type Progress = { count: number; state: 'asking' | 'running' | 'done'; failure: Failure | undefined }

const notStarted: Progress = { count: 0, state: 'asking', failure: undefined }

/** Sends failed deliveries since a time again in batches, until none is left or the user stops it. */
function useRecover(failedOf: FailedOf) {
  const client = useClient()
  const stopped = useRef(false)
  const [progress, setProgress] = useState(notStarted)

  const start = async (since: string) => {
    stopped.current = false
    for (let count = 0; ; ) {
      setProgress({ count, state: 'running', failure: undefined })
      const { data, error } = await client.mutation(Recover, { input: { ...failedOf, since, max: atOnce } }).toPromise()
      if (error) return setProgress({ count, state: 'asking', failure: failureOf(error) })
      const sent = data?.redeliverFailed ?? 0
      count += sent
      if (sent < atOnce || stopped.current) return setProgress({ count, state: 'done', failure: undefined })
    }
  }
  return {
    count: progress.count,
    isRunning: progress.state === 'running',
    isDone: progress.state === 'done',
    failure: progress.failure,
    start,
    reset: () => setProgress(notStarted),
    stop: () => {
      stopped.current = true
    },
  }
}
