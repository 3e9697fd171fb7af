import { Group, List, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { SaveButton } from '../../ui/form/SaveButton.tsx'
import type { Draft } from '../../ui/form/useDraft.ts'
import { type Days, type DaysErrors, type DaysFields, describeLosses, formatDays, readDays } from './retentionDays.ts'
import { SetTeamRetention } from './settingsQueries.ts'

/** How long the team keeps media and history. A confirmation shows what would be deleted. */
export function RetentionForm({ draft, deploymentDays }: { draft: Draft<DaysFields>; deploymentDays: number | null }) {
  const { id: teamId } = useTeam()
  const [{ fetching }, set] = useMutation(SetTeamRetention)
  const { fields } = draft
  const current = readDays(draft.saved).days
  const [errors, setErrors] = useState<DaysErrors>({})
  const [failure, setFailure] = useState<Failure>()
  const [asked, setAsked] = useState<Days>(current)
  const [asking, setAsking] = useState(false)

  const save = async (days: Days) => {
    const { error } = await set({ input: { teamId, mediaDays: days.mediaDays, historyDays: days.historyDays } })
    if (error) return failureOf(error)
    draft.markSaved({ mediaDays: days.mediaDays ?? '', historyDays: days.historyDays ?? '' })
    showSaved('The retention was saved.')
    return undefined
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { days, errors: found } = readDays(fields)
    setErrors(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) return
    setAsked(days)
    if (describeLosses(current, days).length > 0) setAsking(true)
    else setFailure(await save(days))
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Fields fields={fields} errors={errors} deploymentDays={deploymentDays} onChange={draft.change} />
        {failure && <ErrorNotice title="The retention was not saved" failure={failure} />}
        <Group>
          <SaveButton busy={fetching} isChanged={draft.isChanged}>
            Save retention
          </SaveButton>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={asking}
        title="Delete older data?"
        confirm="Save and delete"
        onConfirm={() => save(asked)}
        onClose={() => setAsking(false)}
      >
        <Losses words={describeLosses(current, asked)} />
      </ConfirmDialog>
    </form>
  )
}

type FieldsProps = { fields: DaysFields; errors: DaysErrors; deploymentDays: number | null; onChange(changed: Partial<DaysFields>): void }

function Fields({ fields, errors, deploymentDays, onChange }: FieldsProps) {
  const field = (name: keyof Days) => ({
    suffix: fields[name] === 1 ? ' day' : ' days',
    min: 1,
    clampBehavior: 'none' as const,
    allowDecimal: false,
    allowNegative: false,
    value: fields[name],
    onChange: (value: number | string) => onChange({ [name]: value }),
    error: errors[name],
  })
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={640}>
      <NumberInput
        label="Keep media"
        description="In days from the end of the work: images, videos, audio, 3D models and texts."
        placeholder="As long as the history"
        {...field('mediaDays')}
      />
      <NumberInput
        label="Keep history"
        description="In days: whole generations with prompts, parameters, references and webhook deliveries."
        placeholder={deploymentDays === null ? 'Forever' : `${formatDays(deploymentDays)}, the default`}
        {...field('historyDays')}
      />
    </SimpleGrid>
  )
}

function Losses({ words }: { words: readonly string[] }) {
  return (
    <>
      <List size="sm" spacing={4}>
        {words.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
      <Text size="sm">Deletion begins within minutes, continues every day, and cannot be undone. Charges stay in the statement.</Text>
    </>
  )
}
