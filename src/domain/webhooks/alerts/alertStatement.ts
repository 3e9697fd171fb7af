import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import { type Statement, statement } from '../../sql.ts'

/** An alert that was just recorded for one subscription. `at` is the database's time. */
export type RaisedAlert = { subscriptionId: string; teamId: string; at: Date }

/** Alerts of one kind that one statement records. */
export const alertsAtOnce = 100

/** The day in UTC, as SQL. */
export const today = 'utc_day(present())'

/**
 * A statement that locks the subscriptions, records the due alerts, and returns those that no other process recorded first. `source`
 * joins the subscriptions `s` to their subjects. `value` columns are returned.
 */
export function raising<Row extends RaisedAlert>(
  kind: AlertKind,
  {
    source,
    subject,
    threshold,
    endsAt = 'null::timestamptz',
    where,
    duplicateOf,
    values,
  }: {
    source: string
    subject: string
    threshold: string
    endsAt?: string
    where: string
    /** The condition on earlier alerts `a` about the subject: if one meets it, the new alert is not recorded. */
    duplicateOf: string
    values: string
  },
): Statement<Row> {
  return statement(
    `raise_${kind.replaceAll('.', '_')}`,
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
