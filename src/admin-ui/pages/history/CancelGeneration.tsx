import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { CancelMutation, type Generation } from './historyQuery.ts'

export type GenerationActionsProps = {
  generation: Generation
  /** `sm` in the heading of a page. */
  size?: 'xs' | 'sm'
  onChanged(): void
}

/** Cancels unfinished work, after a dialog that shows the cost. */
export function CancelGeneration({ generation, size = 'xs', onChanged }: GenerationActionsProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const [, cancel] = useMutation(CancelMutation)
  const confirm = async (): Promise<Failure | undefined> => {
    const { data, error } = await cancel({ id: generation.generationId })
    onChanged()
    if (error) return failureOf(error)
    if (data) showSaved(describeOutcome(data.cancelGeneration))
    return undefined
  }
  return (
    <>
      <Button size={size} variant="default" onClick={open}>
        Cancel generation
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title="Cancel this generation?"
        confirm="Cancel generation"
        dismiss="Let it run"
        onConfirm={confirm}
      >
        <Text size="sm">{describeCost(generation)}</Text>
      </ConfirmDialog>
    </>
  )
}

function describeCost({ state, credits }: Generation): string {
  if (state === 'QUEUED') {
    return `The work has not begun. The held ${formatCredits(credits)} will be returned. If the work begins before you confirm, it is charged.`
  }
  return `The work has begun and is charged: ${formatCredits(credits)}. There will be no result.`
}

type Outcome = { cancelled: boolean; creditsCharged: number; creditsReturned: number }

function describeOutcome({ cancelled, creditsCharged, creditsReturned }: Outcome): string {
  if (!cancelled) return 'The generation had already ended.'
  return creditsCharged > 0
    ? `Cancelled. ${formatCredits(creditsCharged)} charged.`
    : `Cancelled. ${formatCredits(creditsReturned)} returned.`
}
