import { Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import type { CurrentTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { type SwitchedOff, SwitchFamilyMutation } from './catalogQueries.ts'
import { RefusedKeys } from './RefusedKeys.tsx'

type FamilySwitchProps = {
  family: { id: string; name: string }
  /** Set when the team switched the family off: who did it, and when. */
  off: SwitchedOff | undefined
  team: CurrentTeam
  /** Shows a label, where no heading names the switch. */
  withLabel?: boolean
}

/** Switches a family on or off for the team. Members only see the state. */
export function FamilySwitch({ family, off, team, withLabel = false }: FamilySwitchProps) {
  const [{ fetching }, switchFamily] = useMutation(SwitchFamilyMutation)
  const isOn = off === undefined
  const [asking, setAsking] = useState(false)
  const set = (available: boolean) => switchFamily({ input: { familyId: family.id, teamId: team.id, available } })
  const switchOn = async () => {
    const { error } = await set(true)
    if (error) showFailed(`${family.name} could not be switched on`, failureOf(error))
    else showSaved(`${family.name} is on for ${team.name}.`)
  }
  const switchOff = async () => {
    const { error } = await set(false)
    if (error) return failureOf(error)
    const message = `${family.name} is off for ${team.name}. Its keys cannot use the family.`
    showSaved(message, { label: 'Undo', onClick: () => void switchOn() })
    return undefined
  }
  return (
    <Stack gap={2} align="flex-start">
      {team.mayManage ? (
        <Switch
          checked={isOn}
          disabled={fetching}
          aria-label={`${family.name} for ${team.name}`}
          label={withLabel ? `For ${team.name}` : undefined}
          onChange={(event) => (event.currentTarget.checked ? void switchOn() : setAsking(true))}
        />
      ) : (
        <Text>{withLabel ? `${isOn ? 'On' : 'Off'} for ${team.name}` : isOn ? 'On' : 'Off'}</Text>
      )}
      {off && <OffSince off={off} />}
      <ConfirmDialog
        opened={asking}
        title={`Switch ${family.name} off?`}
        confirm="Switch off"
        onConfirm={switchOff}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">
          From the next request on, every start of <bdi>{family.name}</bdi> with a key of {team.name} is refused as{' '}
          <code>access_denied</code>, also in production. Work that has started goes on.
        </Text>
        <RefusedKeys familyId={family.id} />
      </ConfirmDialog>
    </Stack>
  )
}

/** The person to ask about it. */
function OffSince({ off: { byName, since } }: { off: SwitchedOff }) {
  if (since === null) return null
  return (
    <Text size="xs" c="dimmed" maw={180}>
      by {byName ?? 'an internal tool'}, <Moment at={since} />
    </Text>
  )
}
