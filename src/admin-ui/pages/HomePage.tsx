import { Anchor, Stack, Text } from '@mantine/core'
import { Link, Navigate } from 'react-router'
import { useViewer } from '../api/viewer.ts'
import { paths, personalTeam } from '../paths.ts'
import { lastTeamOf } from '../shell/lastTeam.ts'
import { Shell } from '../shell/Shell.tsx'
import { PageHeading } from '../ui/layout/PageHeading.tsx'

/** Redirects to the last team. Shows people without a team what to do. Contract: docs/contract.md#pages. */
export function HomePage() {
  const viewer = useViewer()
  const last = lastTeamOf(viewer)
  if (last) return <Navigate to={paths.screen(last.team.id, 'overview')} replace />
  return (
    <Shell>
      <PageHeading title="You are not in a team yet" />
      <Stack gap="sm" maw="60ch">
        <Text>
          Keys, webhooks and history belong to teams. Ask an owner or administrator of your team to add{' '}
          <Text span fw={600}>
            {viewer.email}
          </Text>{' '}
          to the team. Then reload this page.
        </Text>
        <Text>
          Your own agents do not need a team:{' '}
          <Anchor component={Link} to={paths.screen(personalTeam, 'agents')}>
            set one up
          </Anchor>{' '}
          with a key that spends your personal credits.
        </Text>
      </Stack>
    </Shell>
  )
}
