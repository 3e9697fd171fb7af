import { Group, NumberInput, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { SaveButton } from '../../ui/form/SaveButton.tsx'
import type { Draft } from '../../ui/form/useDraft.ts'
import { SetLowCredits } from './settingsQueries.ts'

/** Empty: no threshold. */
export type LowCreditsFields = { credits: number | string }

/** The available credits below which every page warns and the alert `credits.low` is raised. */
export function LowCreditsForm({ draft }: { draft: Draft<LowCreditsFields> }) {
  const { id } = useTeam()
  const [{ fetching }, save] = useMutation(SetLowCredits)
  const { credits } = draft.fields
  const [failure, setFailure] = useState<Failure>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { error } = await save({ input: { id, lowCreditsThreshold: credits === '' ? null : Number(credits) } })
    setFailure(error && failureOf(error))
    if (error) return
    draft.markSaved({ credits })
    showSaved('Saved.')
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <NumberInput
          label="Warn below"
          description="Available credits. Below them, every page warns and the alert credits.low is raised once a day. Empty: no alert."
          placeholder="No alert"
          value={credits}
          min={0}
          decimalScale={2}
          allowNegative={false}
          maw={420}
          onChange={(value) => draft.change({ credits: value })}
        />
        {failure && <ErrorNotice title="The threshold was not changed" failure={failure} />}
        <Group>
          <SaveButton busy={fetching} isChanged={draft.isChanged}>
            Save threshold
          </SaveButton>
        </Group>
      </Stack>
    </form>
  )
}
