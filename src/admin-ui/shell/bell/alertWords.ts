import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { paths } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'

export const AlertsQuery = graphql(`
  query TeamAlerts($team: ID!) {
    team(id: $team) {
      id
      alerts {
        id
        kind
        raisedAt
        subjectId
        subjectName
        limitKind
        percent
        thresholdCredits
        endsAt
        autoPausedAt
      }
    }
  }
`)

export type TeamAlert = NonNullable<ResultOf<typeof AlertsQuery>['team']>['alerts'][number]

/** What happened, in one line. An end is shown beside it. */
export function alertTitle({ kind, subjectName, limitKind, percent, thresholdCredits, autoPausedAt }: TeamAlert): string {
  const subject = subjectName ?? (kind === 'WEBHOOK_FAILING' ? 'A deleted webhook' : 'A deleted key')
  switch (kind) {
    case 'CREDITS_LOW':
      return `Fewer than ${formatCredits(thresholdCredits ?? 0)} available`
    case 'KEY_NEAR_CEILING':
      return percent === 100
        ? `${subject} has reached its ${limitKind} ceiling`
        : `${subject} has used ${percent}% of its ${limitKind} ceiling`
    case 'WEBHOOK_FAILING':
      return autoPausedAt === null ? `${subject} is failing` : `${subject} is paused: it failed for days`
    case 'KEY_EXPIRING':
      return `${subject} ends soon`
    case 'PLAN_EXPIRING':
      return 'The plan ends soon'
    default:
      return kind satisfies never
  }
}

/** The page that the alert is about. */
export function alertPage(team: string, { kind, subjectId }: TeamAlert): string {
  if (kind === 'KEY_NEAR_CEILING' || kind === 'KEY_EXPIRING') return paths.key(team, subjectId)
  if (kind === 'WEBHOOK_FAILING') return paths.webhook(team, subjectId)
  return paths.screen(team, 'team')
}
