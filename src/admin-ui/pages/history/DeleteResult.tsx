import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { DeleteResultMutation, type Generation } from './historyQuery.ts'

/** A button that deletes the result permanently, after a confirmation. The generation and its cost stay in the history. */
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
          The result is deleted permanently, and all links to it stop working at once. The generation and its cost stay in the history.
        </Text>
      </ConfirmDialog>
    </>
  )
}
