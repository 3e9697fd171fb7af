import { useEffect, useMemo } from 'react'
import { Navigate, Outlet, useParams } from 'react-router'
import { type CurrentTeam, TeamContext, useViewer } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import { paths } from '../paths.ts'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { lastTeamOf, rememberTeam } from './lastTeam.ts'
import { StandingNotice } from './lazyMenus.ts'
import { Shell } from './Shell.tsx'
import { mayManage } from './screensFor.ts'
import { TeamNavigation } from './TeamNavigation.tsx'

/** The pages of the team in the URL. Unknown teams and teams of others are both not found. */
export function TeamShell() {
  const { teamId } = useParams()
  const viewer = useViewer()
  const membership = viewer.memberships.find(({ team }) => team.id === teamId)
  const current = useMemo<CurrentTeam | null>(
    () => (membership ? { ...membership.team, role: membership.role, mayManage: mayManage(membership.role) } : null),
    [membership],
  )
  useEffect(() => {
    if (current) rememberTeam(viewer.id, current.id)
  }, [viewer.id, current])
  if (!current) return <UnknownTeamShell />
  return (
    <TeamContext value={current}>
      <Shell title={current.name} navigation={<TeamNavigation team={current} />}>
        <LazyPart>
          <StandingNotice key={current.id} />
        </LazyPart>
        <Outlet key={current.id} />
      </Shell>
    </TeamContext>
  )
}

/** An unknown team: keeps the navigation of the last team. */
function UnknownTeamShell() {
  const last = lastTeamOf(useViewer())
  if (!last)
    return (
      <Shell>
        <NotFoundPage />
      </Shell>
    )
  const team = { ...last.team, role: last.role, mayManage: mayManage(last.role) }
  return (
    <Shell title={team.name} navigation={<TeamNavigation team={team} />}>
      <NotFoundPage />
    </Shell>
  )
}

/** The pages of a person without a team. */
export function PersonalShell() {
  return (
    <Shell title="Personal">
      <Outlet />
    </Shell>
  )
}

/** Redirects from a team's address to its overview. */
export function TeamHome() {
  const { teamId = '' } = useParams()
  return <Navigate to={paths.screen(teamId, 'overview')} replace />
}
