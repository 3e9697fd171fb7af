import { Anchor, Stack, Text } from '@mantine/core'
import { Link, Navigate } from 'react-router'
import { useViewer } from '../api/viewer.ts'
import { paths, personalTeam } from '../paths.ts'
import { lastTeamOf } from '../shell/lastTeam.ts'
import { Shell } from '../shell/Shell.tsx'
import { screensFor } from '../shell/screensFor.ts'
import { PageHeading } from '../ui/layout/PageHeading.tsx'

/** Leads to the last team; somebody in no team learns what to do. Contract: docs/contract.md#pages. */
export function HomePage() {
  const viewer = useViewer()
  const last = lastTeamOf(viewer)
  if (last) return <Navigate to={paths.screen(last.team.id, screensFor(last.role)[0] ?? 'history')} replace />
  return (
    <Shell>
      <PageHeading title="You are in no team yet" />
      <Stack gap="sm" maw="60ch">
        <Text>
          Keys, webhooks and history belong to teams. Ask an owner or administrator of your team to add{' '}
          <Text span fw={600}>
            {viewer.email}
          </Text>
          , then load this page again.
        </Text>
        <Text>
          Your own agents need no team:{' '}
          <Anchor component={Link} to={paths.screen(personalTeam, 'agents')}>
            set one up
          </Anchor>{' '}
          with a key that spends your personal credits.
        </Text>
      </Stack>
    </Shell>
  )
}
