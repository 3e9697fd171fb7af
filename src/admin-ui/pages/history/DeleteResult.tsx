import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { DeleteResultMutation, type Generation } from './historyQuery.ts'

/** Removes what was made, for good, once somebody has read what stays. */
export function DeleteResult({ generation: { generationId }, onChanged }: { generation: Generation; onChanged(): void }) {
  const [opened, { open, close }] = useDisclosure(false)
  const [, remove] = useMutation(DeleteResultMutation)
  const confirm = async (): Promise<Failure | undefined> => {
    const { error } = await remove({ id: generationId })
    if (error) return failureOf(error)
    onChanged()
    showSaved('The result was deleted.')
    return undefined
  }
  return (
    <>
      <Button size="xs" variant="light" color="red" onClick={open}>
        Delete result
      </Button>
      <ConfirmDialog opened={opened} onClose={close} title="Delete result" confirm="Delete result" onConfirm={confirm}>
        <Text size="sm">
          What was made is removed for good, and every link to it is dead at once. The generation stays in the history, with what it cost.
        </Text>
      </ConfirmDialog>
    </>
  )
}
