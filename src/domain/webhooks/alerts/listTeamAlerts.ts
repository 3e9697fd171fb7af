import { creditsOf, hundredths } from '../../../contract/hundredths.ts'
import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { autoPausedThreshold } from './alertConditions.ts'

/** An alert in the list of a team. Fields that its kind does not have are null. */
export type TeamAlert = {
  id: string
  kind: AlertKind
  raisedAt: Date
  /** The key or webhook, otherwise the team. */
  subjectId: string
  /** The present name of the key, or the address of the webhook. */
  subjectName: string | null
  limitKind: 'daily' | 'monthly' | null
  percent: number | null
  thresholdCredits: number | null
  endsAt: Date | null
  /** When the webhook was paused because it had failed for days. */
  autoPausedAt: Date | null
}

type Row = Pick<TeamAlert, 'id' | 'kind' | 'raisedAt' | 'subjectId' | 'subjectName' | 'endsAt'> & { threshold: string }

const list = statement<Row>(
  'list_team_alerts',
  `select a.id::text, a.kind, a.raised_at, a.subject_id, coalesce(k.name, w.address) as subject_name, a.threshold, a.ends_at
     from team_alerts a
     left join api_keys k on k.id = a.subject_id and k.team_id = a.team_id
     left join webhook_subscriptions w on w.id = a.subject_id and w.team_id = a.team_id
     where a.team_id = $1 order by a.id desc limit $2`,
)

/** The last alerts of a team, newest first, whether or not a receiver is subscribed. Contract: docs/contract.md#alerts. */
export async function listTeamAlerts({ sql }: Pick<Context, 'sql'>, teamId: string, limit: number): Promise<TeamAlert[]> {
  return (await sql.all(list, [teamId, limit])).map(present)
}

function present({ threshold, ...row }: Row): TeamAlert {
  const none = { limitKind: null, percent: null, thresholdCredits: null, autoPausedAt: null }
  if (row.kind === 'credits.low') return { ...row, ...none, thresholdCredits: creditsOf(hundredths(BigInt(threshold))) }
  const [word, value] = threshold.split(' ')
  if (row.kind === 'webhook.failing' && word === autoPausedThreshold)
    return { ...row, ...none, autoPausedAt: new Date(Math.round(Number(value) * 1000)) }
  if (row.kind !== 'key.near_ceiling') return { ...row, ...none }
  return { ...row, ...none, limitKind: word === 'daily' ? 'daily' : 'monthly', percent: Number(value) }
}
