import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { Credits } from '../../ui/display/Credits.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { CancelGeneration } from './CancelGeneration.tsx'
import classes from './GenerationDetails.module.css'
import { GenerationFacts } from './GenerationFacts.tsx'
import { FailureNotice, ProgressNotice } from './GenerationNotices.tsx'
import { describeFile, formatAxes, isOpen, isRecorded, mayCancel } from './generationLabels.ts'
import { DeleteResultMutation, type Generation } from './historyQuery.ts'
import { Media } from './media/Media.tsx'
import { PromptText } from './PromptText.tsx'
import { resultPath } from './resultLinks.ts'

/** The details of a generation, most important first. */
export function GenerationDetails({ generation, onChanged }: { generation: Generation; onChanged(): void }) {
  const { mayManage } = useTeam()
  const { id: userId } = useViewer()
  const { state, familyId, axes, createdAt, error, result, prompt } = generation
  const path = resultPath(generation.generationId, result)
  const mayDelete = mayManage && (path !== undefined || typeof result?.text === 'string')
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm" align="flex-start">
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
        <Group gap="xs">
          {mayCancel(generation, { userId, mayManage }) && <CancelGeneration generation={generation} onChanged={onChanged} />}
          {mayDelete && <DeleteResult generation={generation} onChanged={onChanged} />}
          {path !== undefined && <Download path={path} />}
        </Group>
      </Group>
      <Media generation={generation} onRefresh={onChanged} />
      <ProgressNotice generation={generation} />
      {error && <FailureNotice error={error} />}
      {prompt !== null && prompt !== '' && <PromptText text={prompt} />}
      <CostLines generation={generation} />
      <GenerationFacts generation={generation} />
    </Stack>
  )
}

function Download({ path }: { path: string }) {
  return (
    <Button component="a" href={`${path}?download=1`} variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />}>
      Download
    </Button>
  )
}

/** A button that deletes the result permanently, after a confirmation. The generation and its cost stay in the history. */
function DeleteResult({ generation: { generationId }, onChanged }: { generation: Generation; onChanged(): void }) {
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

/** The price, and how much of it is held, charged and returned. */
function CostLines({ generation }: { generation: Generation }) {
  if (isRecorded(generation)) {
    return (
      <Text size="sm" c="dimmed">
        Started in the editor, which charges it separately.
      </Text>
    )
  }
  return (
    <Box>
      <Text size="sm" fw={500} mb={4}>
        Cost
      </Text>
      <dl className={classes.costs}>
        {linesOf(generation).map(({ name, amount }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Credits amount={amount} unit />
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  )
}

type Line = { name: string; amount: number }

function linesOf(generation: Generation): Line[] {
  const { credits, creditsHeld, creditsCharged } = generation
  const price = { name: 'Price', amount: credits }
  if (isOpen(generation)) return [price, { name: 'Held until it ends', amount: creditsHeld }]
  const charged = creditsCharged ?? 0
  return [price, { name: 'Charged', amount: charged }, ...(charged < credits ? [{ name: 'Returned', amount: credits - charged }] : [])]
}
