import { Stack, Text } from '@mantine/core'
import type { CurrentTeam } from '../../api/viewer.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import type { ListedFamily } from './catalogQueries.ts'
import { explainLock } from './familyLabels.ts'

type AvailabilityProps = {
  family: Pick<ListedFamily, 'available' | 'lockReason'>
  team: CurrentTeam
  /** Adds the advice in small print, as in a list. */
  brief?: boolean
}

/** Whether a family is available; if not, the reason and what to do. */
export function Availability({ family: { available, lockReason }, team, brief = false }: AvailabilityProps) {
  if (available) return <StateBadge state="AVAILABLE" />
  const { name, advice } = explainLock(lockReason ?? 'locked')
  return (
    <Stack gap={2} align="flex-start">
      <TextBadge word={name} color="gray" />
      {brief && (
        <Text size="xs" c="dimmed" maw={300}>
          {advice({ teamName: team.name, mayManage: team.mayManage })}
        </Text>
      )}
    </Stack>
  )
}
