import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { CancelGeneration, type GenerationActionsProps } from './CancelGeneration.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { describeFile, formatAxes, mayCancel } from './generationLabels.ts'
import { DeleteResultMutation, type Generation } from './historyQuery.ts'
import { resultPath } from './resultLinks.ts'

/** The state, the model and the file in two lines. */
export function GenerationSummary({ generation: { state, familyId, axes, createdAt, result } }: { generation: Generation }) {
  return (
    <Stack gap={4} miw={0}>
      <Group gap="xs">
        <StateBadge state={state} />
        <Text size="sm" fw={500}>
          {[familyId, formatAxes(axes)].filter(Boolean).join(' · ')}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        Started <Moment at={createdAt} />
        {result && describeFile(result) !== '' && ` · ${describeFile(result)}`}
      </Text>
    </Stack>
  )
}

/** What the person may do with the generation now. */
export function GenerationActions({ generation, size = 'xs', onChanged }: GenerationActionsProps) {
  const { mayManage } = useTeam()
  const { id: userId } = useViewer()
  const { generationId, result } = generation
  const path = resultPath(generationId, result)
  const mayDelete = mayManage && (path !== undefined || typeof result?.text === 'string')
  const mayEnd = mayCancel(generation, { userId, mayManage })
  // An empty group would indent the buttons beside it.
  if (!mayEnd && !mayDelete && path === undefined) return null
  return (
    <Group gap="xs">
      {mayEnd && <CancelGeneration {...{ generation, size, onChanged }} />}
      {mayDelete && <DeleteResult {...{ generation, size, onChanged }} />}
      {path !== undefined && <DownloadButton path={path} size={size} />}
    </Group>
  )
}

/** A button that deletes the result permanently, after a confirmation. The generation and its cost stay in the history. */
function DeleteResult({ generation: { generationId }, size = 'xs', onChanged }: GenerationActionsProps) {
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
      <Button size={size} variant="default" onClick={open}>
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
