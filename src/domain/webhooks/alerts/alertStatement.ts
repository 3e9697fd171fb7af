import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import { type Statement, statement } from '../../sql.ts'

/** An alert that was just recorded for one subscription. `at` is the database's time. */
export type RaisedAlert = { subscriptionId: string; teamId: string; at: Date }

/** Alerts of one kind that one statement records for subscriptions, and for teams. Each statement reads all subjects again. */
export const alertsAtOnce = 100
export const teamAlertsAtOnce = 2_000

/** The day in UTC, as SQL. */
export const today = 'utc_day(present())'

type AlertRule = {
  /** The name of the statement; the kind by default. Each rule needs its own. */
  name?: string
  /** Joins the subscriptions or teams `s` to their subjects. */
  source: string
  subject: string
  threshold: string
  endsAt?: string
  where: string
  /** The condition on earlier alerts `a` about the subject: if one meets it, the new alert is not recorded. */
  duplicateOf: string
  /** The returned columns. */
  values: string
}

/** The statements of a kind: `raise` for subscriptions, whose alerts it returns; `raiseForTeams` for the list of each team. */
export type AlertStatements<Row extends RaisedAlert> = { raise: Statement<Row>; raiseForTeams: Statement<{ id: string }> }

/** Makes both statements of a kind from its rule. */
export function alertStatements<Row extends RaisedAlert>(kind: AlertKind, rule: AlertRule): AlertStatements<Row> {
  return { raise: raiseForSubscriptions(kind, rule), raiseForTeams: raiseForTeams(kind, rule) }
}

/** A statement that locks the subscriptions, records the due alerts, and returns those that no other process recorded first. */
function raiseForSubscriptions<Row extends RaisedAlert>(
  kind: AlertKind,
  { name = kind, source, subject, threshold, endsAt = 'null::timestamptz', where, duplicateOf, values }: AlertRule,
): Statement<Row> {
  return statement(
    `raise_${name.replaceAll('.', '_')}`,
    `with due as materialized (
       select s.id as subscription_id, s.team_id, ${subject} as subject_id, ${threshold} as threshold, ${endsAt} as ends_at, ${values}
         from webhook_subscriptions s ${source}
         where s.kind = 'alerts' and s.deleted_at is null and not s.paused and '${kind}' = any(s.events) and ${where}
           and not exists (
             select from alerts a where a.subscription_id = s.id and a.kind = '${kind}' and a.subject_id = ${subject} and (${duplicateOf}))
         order by s.id, subject_id, threshold limit ${alertsAtOnce} for no key update of s
     ), raised as (
       insert into alerts (subscription_id, kind, subject_id, threshold, day, ends_at)
         select subscription_id, '${kind}', subject_id, threshold, ${today}, ends_at from due on conflict do nothing
         returning subscription_id, subject_id, threshold
     )
     select due.*, present() as at from due join raised using (subscription_id, subject_id, threshold)
       order by subscription_id, subject_id, threshold`,
  )
}

/** A statement that records the due alerts of all teams, each once, and returns their identifiers. */
function raiseForTeams(
  kind: AlertKind,
  { name = kind, source, subject, threshold, endsAt = 'null::timestamptz', where, duplicateOf }: AlertRule,
): Statement<{ id: string }> {
  return statement(
    `raise_team_${name.replaceAll('.', '_')}`,
    `insert into team_alerts (team_id, kind, subject_id, threshold, day, ends_at, raised_at)
       select s.team_id, '${kind}', ${subject}, ${threshold}, ${today}, ${endsAt}, present()
         from (select id as team_id from teams where deleted_at is null) s ${source}
         where ${where}
           and not exists (
             select from team_alerts a where a.team_id = s.team_id and a.kind = '${kind}' and a.subject_id = ${subject} and (${duplicateOf}))
         limit ${teamAlertsAtOnce}
       on conflict do nothing returning id`,
  )
}
