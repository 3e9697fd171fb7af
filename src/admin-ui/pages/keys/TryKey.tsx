import { Stack, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { type Scope, TrialFamiliesQuery } from './keyQueries.ts'
import { trialFamily, tryKeyCommand } from './tryKeyCommand.ts'

export type KeyToTry = {
  value: string
  scopes: readonly Scope[]
  dailyLimitCredits: number | null
  monthlyLimitCredits: number | null
  singleLimitCredits: number | null
}

/** A command that tries the new value. */
export function TryKey({ issued }: { issued: KeyToTry }) {
  const { id: teamId } = useTeam()
  const { value, scopes, dailyLimitCredits, monthlyLimitCredits, singleLimitCredits } = issued
  const starts = scopes.includes('GENERATIONS_WRITE')
  const [{ data, fetching }] = useQuery({ query: TrialFamiliesQuery, variables: { teamId }, pause: !starts })
  if (starts && fetching) return null
  const familyId = trialFamily(data?.families.nodes ?? [], [dailyLimitCredits, monthlyLimitCredits, singleLimitCredits])
  return (
    <Stack gap={6}>
      <CodeBlock wrap label="Try it" code={tryKeyCommand({ origin: location.origin, value, scopes, familyId })} />
      <Text size="xs" c="dimmed">
        {starts && familyId !== undefined && 'This starts a generation, which costs credits. '}
        The key is a password to the team’s credits: keep it in a secret store or a server’s environment, never in a page, an app or a
        repository.
      </Text>
    </Stack>
  )
}
