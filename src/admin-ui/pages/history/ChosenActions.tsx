import { Alert, Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { type Client, useClient } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { isOpen, isRecorded } from './generationLabels.ts'
import { laterPageRows } from './historyDocument.ts'
import { CancelMutation, DeleteResultMutation, type HistoryRow } from './historyQuery.ts'

type Action = 'cancel' | 'delete'

/** A row on which the action was refused, with the reason. */
type Refused = { row: HistoryRow; reason: string }
type Outcome = { summary: string; refused: readonly Refused[] }

type ChosenActionsProps = {
  rows: readonly HistoryRow[]
  /** All loaded rows are chosen, and the history has more. */
  hasMoreToChoose: boolean
  isLoadingMore: boolean
  onLoadMore(): void
  onClear(): void
  /** `affected`: all rows of the action. `refused`: the rows that it did not change. */
  onDone(affected: readonly HistoryRow[], refused: readonly HistoryRow[]): void
}

/** Cancels the chosen generations or deletes their results, one after another, after a confirmation. Refused rows stay chosen. */
export function ChosenActions({ rows, onClear, onDone, ...more }: ChosenActionsProps) {
  const client = useClient()
  const [asked, setAsked] = useState<Action>()
  const [outcome, setOutcome] = useState<Outcome>()
  const open = rows.filter((row) => isOpen(row) && !isRecorded(row))
  const stored = rows.filter(({ state, result }) => state === 'READY' && result?.url)
  const affected = asked === 'cancel' ? open : stored
  const carryOut = async () => {
    const done = await applyTo(client, asked, affected)
    setOutcome(done)
    if (done.refused.length === 0) showSaved(done.summary)
    onDone(
      affected,
      done.refused.map(({ row }) => row),
    )
    return undefined
  }
  const title = asked === 'cancel' ? `Cancel ${countOf(open.length, 'generation')}?` : `Delete ${countOf(stored.length, 'result')}?`
  return (
    <Paper withBorder radius="lg" px="md" py="xs" mb="sm" bg="var(--atelier-surface)" role="group" aria-label="Selection">
      <Group gap="sm">
        <Text size="sm" fw={500} role="status">
          {rows.length} selected
        </Text>
        <Button size="xs" variant="default" disabled={open.length === 0} onClick={() => setAsked('cancel')}>
          Cancel generations
        </Button>
        <Button size="xs" variant="default" disabled={stored.length === 0} onClick={() => setAsked('delete')}>
          Delete results
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear selection
        </Button>
        {more.hasMoreToChoose && <LoadMoreToChoose isLoading={more.isLoadingMore} onLoadMore={more.onLoadMore} />}
      </Group>
      {outcome && outcome.refused.length > 0 && <RefusedNotice {...outcome} />}
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={title}
        confirm={asked === 'cancel' ? 'Cancel generations' : 'Delete results'}
        dismiss="Keep them"
        onConfirm={carryOut}
      >
        <Text size="sm">
          {asked === 'cancel'
            ? 'Work that has not begun is returned in full. Work that has begun is charged, and has no result.'
            : 'The results are deleted permanently, and all links to them stop working. The generations and their cost stay in the history.'}
        </Text>
      </ConfirmDialog>
    </Paper>
  )
}

/** An action concerns only rows that the person has seen, so more rows must be loaded first. */
function LoadMoreToChoose({ isLoading, onLoadMore }: { isLoading: boolean; onLoadMore(): void }) {
  return (
    <Group gap="xs" ml="auto">
      <Text size="sm" c="dimmed">
        Older generations are not loaded, so not selected.
      </Text>
      <Button size="xs" variant="default" loading={isLoading} onClick={onLoadMore}>
        Load {laterPageRows} more
      </Button>
    </Group>
  )
}

const shownMax = 5

/** The first refused rows, with the reason of each. */
function RefusedNotice({ summary, refused }: Outcome) {
  return (
    <Alert color="red" variant="light" title={summary} role="alert" mt="xs">
      {refused.slice(0, shownMax).map(({ row: { generationId, prompt, familyId }, reason }) => (
        <Text key={generationId} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {shorten(prompt || familyId)}: {reason}
        </Text>
      ))}
      {refused.length > shownMax && <Text size="sm">And {refused.length - shownMax} more.</Text>}
    </Alert>
  )
}

/** Runs the action on each row, one after another. */
async function applyTo(client: Client, action: Action | undefined, rows: readonly HistoryRow[]): Promise<Outcome> {
  const refused: Refused[] = []
  for (const row of rows) {
    const reason = await (action === 'cancel' ? cancel(client, row) : deleteResult(client, row))
    if (reason !== undefined) refused.push({ row, reason })
  }
  const done = rows.length - refused.length
  const words = action === 'cancel' ? (['generation', 'cancelled'] as const) : (['result', 'deleted'] as const)
  return { summary: `${doneOf(done, rows.length, words[0])} ${words[1]}.`, refused }
}

/** Returns the reason if the generation was not cancelled. */
async function cancel(client: Client, { generationId: id }: HistoryRow): Promise<string | undefined> {
  const { data, error } = await client.mutation(CancelMutation, { id }).toPromise()
  if (error) return failureOf(error).message
  return data?.cancelGeneration.cancelled ? undefined : 'It had already ended.'
}

/** Returns the reason if the result was not deleted. */
async function deleteResult(client: Client, { generationId: id }: HistoryRow): Promise<string | undefined> {
  const { error } = await client.mutation(DeleteResultMutation, { id }).toPromise()
  return error && failureOf(error).message
}

function countOf(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`
}

function doneOf(done: number, all: number, one: string): string {
  return done === all ? countOf(all, one) : `${done} of ${countOf(all, one)}`
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
