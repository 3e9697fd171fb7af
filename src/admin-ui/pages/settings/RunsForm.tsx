import { Group, NumberInput, Stack, Switch } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { SaveButton } from '../../ui/form/SaveButton.tsx'
import type { Draft } from '../../ui/form/useDraft.ts'
import { SetTeamRuns } from './settingsQueries.ts'

/** `limit`: credits; empty for no ceiling. */
export type RunsFields = { membersMayRun: boolean; limit: number | string }

/** Who runs models in the playground, and what each person may spend there on a day. */
export function RunsForm({ draft }: { draft: Draft<RunsFields> }) {
  const { id: teamId } = useTeam()
  const [{ fetching }, save] = useMutation(SetTeamRuns)
  const { membersMayRun, limit } = draft.fields
  const [failure, setFailure] = useState<Failure>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const dailyLimitCredits = limit === '' ? null : Number(limit)
    const { error } = await save({ input: { teamId, membersMayRun, dailyLimitCredits } })
    setFailure(error && failureOf(error))
    if (error) return
    draft.markSaved({ membersMayRun, limit })
    showSaved('Saved.')
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Switch
          label="Members may run models"
          description="Owners and administrators always may."
          checked={membersMayRun}
          onChange={(event) => draft.change({ membersMayRun: event.currentTarget.checked })}
        />
        <NumberInput
          label="Daily ceiling of each person"
          description="Credits that one person may spend in the playground on a day in UTC, owners too. Empty: no ceiling."
          placeholder="No ceiling"
          value={limit}
          min={0}
          decimalScale={2}
          allowNegative={false}
          maw={420}
          onChange={(value) => draft.change({ limit: value })}
        />
        {failure && <ErrorNotice title="The runs were not changed" failure={failure} />}
        <Group>
          <SaveButton busy={fetching} isChanged={draft.isChanged}>
            Save runs
          </SaveButton>
        </Group>
      </Stack>
    </form>
  )
}
