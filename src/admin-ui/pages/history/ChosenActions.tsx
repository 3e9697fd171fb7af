import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { isOpen, isRecorded } from './generationLabels.ts'
import { CancelMutation, DeleteResultMutation, type HistoryRow } from './historyQuery.ts'

type Action = 'cancel' | 'delete'

type ChosenActionsProps = { rows: readonly HistoryRow[]; onClear(): void; onDone(): void }

/** Cancels or deletes what is chosen, one after another, after a confirmation with the numbers. */
export function ChosenActions({ rows, onClear, onDone }: ChosenActionsProps) {
  const client = useClient()
  const [asked, setAsked] = useState<Action>()
  const open = rows.filter((row) => isOpen(row) && !isRecorded(row))
  const stored = rows.filter(({ state, result }) => state === 'READY' && result?.url)
  const affected = asked === 'cancel' ? open : stored
  const carryOut = async (): Promise<Failure | undefined> => {
    let done = 0
    let failure: Failure | undefined
    for (const { generationId: id } of affected) {
      const { error } = await client.mutation(asked === 'cancel' ? CancelMutation : DeleteResultMutation, { id }).toPromise()
      if (error) failure = failureOf(error)
      else done += 1
    }
    onDone()
    showSaved(asked === 'cancel' ? `${countOf(done)} cancelled.` : `${done === 1 ? '1 result' : `${done} results`} deleted.`)
    return failure
  }
  const title =
    asked === 'cancel' ? `Cancel ${countOf(open.length)}?` : `Delete ${stored.length === 1 ? '1 result' : `${stored.length} results`}?`
  return (
    <Paper withBorder radius="lg" px="md" py="xs" mb="sm" bg="var(--atelier-surface)" role="group" aria-label="Selection">
      <Group gap="sm">
        <Text size="sm" fw={500} role="status">
          {rows.length} selected
        </Text>
        <Button size="xs" variant="light" color="red" disabled={open.length === 0} onClick={() => setAsked('cancel')}>
          Cancel generations
        </Button>
        <Button size="xs" variant="light" color="red" disabled={stored.length === 0} onClick={() => setAsked('delete')}>
          Delete results
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
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

function countOf(count: number): string {
  return count === 1 ? '1 generation' : `${count} generations`
}
