import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useQuery } from 'urql'
import { graphql } from '../api/graphql.ts'
import { useTeam } from '../api/viewer.ts'
import { AttentionAlert } from '../pages/overview/Attention.tsx'
import { type AttentionPoint, bySeverity, type Standing, standingPoints } from '../pages/overview/standingPoints.ts'
import { paths } from '../paths.ts'
import { useNow } from '../ui/hooks/useNow.ts'
import { usePollWhileVisible } from '../ui/hooks/usePollWhileVisible.ts'
import classes from './StandingNotice.module.css'

const StandingNoticeQuery = graphql(`
  query StandingNotice($team: ID!) {
    team(id: $team) {
      id
      state
      planExpiresAt
      lowCreditsThreshold
      account {
        creditsAvailable
        creditsHeld
      }
    }
  }
`)

const refreshSeconds = 60

/**
 * Shows low credits, an ended or ending plan and a blocked team in one box above every page except the overview, which lists them itself. A person can
 * hide a warning until the browser is closed, but not a fault that stops all work. Contract: docs/contract.md#pages.
 */
export function StandingNotice() {
  const { id } = useTeam()
  const { pathname } = useLocation()
  const now = useNow()
  const [{ data }, refetch] = useQuery({ query: StandingNoticeQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  usePollWhileVisible(refreshSeconds, async () => refetch({ requestPolicy: 'network-only' }))
  const { isHidden, hide } = useHiddenNotices(id)
  if (!data?.team || pathname === paths.screen(id, 'overview')) return null
  const { state, ...team } = data.team
  const points = bySeverity(standingPoints({ ...team, limits: blockersOf(state) }, now).filter((point) => !isHidden(point)))
  if (points.length === 0) return null
  return (
    <Stack component="section" aria-label="Notices" gap={0} mb="lg" className={classes.box}>
      {points.map((point) => (
        <AttentionAlert
          key={point.id}
          point={point}
          role="note"
          radius={0}
          styles={{ root: { border: 'none' } }}
          withCloseButton={point.severity === 'soon'}
          closeButtonLabel={`Hide: ${point.title}`}
          onClose={() => hide(point)}
        />
      ))}
    </Stack>
  )
}

function blockersOf(state: 'ACTIVE' | 'EXPIRED' | 'BLOCKED'): Standing['limits'] {
  if (state === 'BLOCKED') return [{ kind: 'TEAM_BLOCKED' }]
  return state === 'EXPIRED' ? [{ kind: 'PLAN_ENDED' }] : []
}

/** The warnings that the person has hidden in this session of the browser. */
function useHiddenNotices(teamId: string) {
  const nameOf = ({ id }: AttentionPoint) => `atelier-hidden-notice:${teamId}:${id}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const isHidden = (point: AttentionPoint) => point.severity === 'soon' && (hidden.has(nameOf(point)) || isStored(nameOf(point)))
  const hide = (point: AttentionPoint) => {
    setHidden((now) => new Set([...now, nameOf(point)]))
    try {
      sessionStorage.setItem(nameOf(point), '')
    } catch {
      // Storage is full or not available. The warning is hidden until the next page load.
    }
  }
  return { isHidden, hide }
}

function isStored(name: string): boolean {
  try {
    return sessionStorage.getItem(name) !== null
  } catch {
    // Storage is not available.
    return false
  }
}
