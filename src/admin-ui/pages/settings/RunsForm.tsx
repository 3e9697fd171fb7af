import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { type Runs, SetTeamRuns } from './settingsQueries.ts'

/** Who runs models in the playground, and what each person may spend there on a day. */
export function RunsForm({ runs }: { runs: Runs }) {
  const { id: teamId } = useTeam()
  const [{ fetching }, save] = useMutation(SetTeamRuns)
  const [membersMayRun, setMembersMayRun] = useState(runs.membersMayRun)
  const [limit, setLimit] = useState<number | string>(runs.runDailyLimitCredits ?? '')
  const [failure, setFailure] = useState<Failure>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const dailyLimitCredits = limit === '' ? null : Number(limit)
    const { error } = await save({ input: { teamId, membersMayRun, dailyLimitCredits } })
    setFailure(error && failureOf(error))
    if (!error) showSaved('Saved.')
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Switch
          label="Members may run models"
          description="Owners and administrators always may."
          checked={membersMayRun}
          onChange={(event) => setMembersMayRun(event.currentTarget.checked)}
        />
        <NumberInput
          label="Daily ceiling of each person"
          description="Credits that one person may spend in the playground on a day in UTC, owners too. Empty: no ceiling."
          value={limit}
          min={0}
          decimalScale={2}
          allowNegative={false}
          maw={420}
          onChange={setLimit}
        />
        {failure && <ErrorNotice title="The runs were not changed" failure={failure} />}
        <Group>
          <Button type="submit" loading={fetching}>
            Save runs
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
