import { Stack, Switch, Text } from '@mantine/core'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import type { CurrentTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { type SwitchedOff, SwitchFamilyMutation } from './catalogQueries.ts'

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
  const change = async (available: boolean) => {
    const { error } = await switchFamily({ input: { familyId: family.id, teamId: team.id, available } })
    if (error) showFailed(`${family.name} could not be switched ${available ? 'on' : 'off'}`, failureOf(error))
    else
      showSaved(
        available ? `${family.name} is on for ${team.name}.` : `${family.name} is off for ${team.name}. Its keys cannot use the family.`,
      )
  }
  return (
    <Stack gap={2} align="flex-start">
      {team.mayManage ? (
        <Switch
          checked={isOn}
          disabled={fetching}
          aria-label={`${family.name} for ${team.name}`}
          label={withLabel ? `For ${team.name}` : undefined}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      ) : (
        <Text>{withLabel ? `${isOn ? 'On' : 'Off'} for ${team.name}` : isOn ? 'On' : 'Off'}</Text>
      )}
      {off && <OffSince off={off} />}
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
