import { creditsOf } from '../../../contract/hundredths.ts'
import { momentOf } from '../../../contract/shapes/credits.ts'
import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import { webhookEvents } from '../../../entities/WebhookSubscription.ts'
import { type AlertStatements, alertStatements, type RaisedAlert, today } from './alertStatement.ts'

/** A kind of alert. Its statements record those that are due; `dataOf` makes `data` of the request body. */
export type AlertCondition<Row extends RaisedAlert = RaisedAlert> = AlertStatements<Row> & { kind: AlertKind; dataOf(row: Row): object }

type LowCredits = RaisedAlert & { available: Hundredths; held: Hundredths; lowCreditsThreshold: Hundredths }

const creditsLow: AlertCondition<LowCredits> = {
  kind: 'credits.low',
  ...alertStatements('credits.low', {
    source: 'join credit_accounts c on c.team_id = s.team_id',
    subject: 's.team_id',
    threshold: 'c.low_credits_threshold::text',
    where: 'c.low_credits_threshold is not null and c.balance - c.held < c.low_credits_threshold',
    duplicateOf: `a.day = ${today} and a.threshold = c.low_credits_threshold::text`,
    values: 'c.balance - c.held as available, c.held, c.low_credits_threshold',
  }),
  dataOf: ({ teamId, available, held, lowCreditsThreshold }) => ({
    teamId,
    creditsAvailable: creditsOf(available),
    creditsHeld: creditsOf(held),
    lowCreditsThreshold: creditsOf(lowCreditsThreshold),
  }),
}

type NearCeiling = RaisedAlert & {
  subjectId: string
  name: string
  limitKind: 'daily' | 'monthly'
  percent: number
  limit: Hundredths
  spent: Hundredths
  held: Hundredths
  resetsAt: Date
}

/** A ceiling of 0 blocks the key on purpose. The alert of 80 % is not sent after that of 100 %. */
const keyNearCeiling: AlertCondition<NearCeiling> = {
  kind: 'key.near_ceiling',
  ...alertStatements('key.near_ceiling', {
    source: `join api_keys k on k.team_id = s.team_id
         cross join lateral (values
           ('daily', k.daily_limit, spent_today(k.charged_day, k.charged_on_day), (${today} + 1)::timestamp at time zone 'UTC'),
           ('monthly', k.monthly_limit, spent_this_month(k.charged_month, k.charged_in_month),
             (utc_month(present()) + interval '1 month') at time zone 'UTC')
         ) as c (limit_kind, ceiling, spent, resets_at)
         cross join lateral (select case when c.spent + k.held_open >= c.ceiling then 100 else 80 end as percent) as reached`,
    subject: 'k.id',
    threshold: `c.limit_kind || ' ' || reached.percent`,
    // The counters of the key are at least what is spent. They leave out most keys before the costly part.
    where: `((k.charged_on_day + k.held_open) * 100 >= k.daily_limit * 80 or (k.charged_in_month + k.held_open) * 100 >= k.monthly_limit * 80)
           and key_is_live(k.revoked_at, k.expires_at) and (k.charged_day >= ${today} or k.held_open > 0)
           and c.ceiling > 0 and (c.spent + k.held_open) * 100 >= c.ceiling * 80`,
    duplicateOf: `a.day = ${today} and a.threshold in (c.limit_kind || ' ' || reached.percent, c.limit_kind || ' 100')`,
    values: `k.name, c.limit_kind, reached.percent, c.ceiling as "limit", c.spent, k.held_open as held, c.resets_at`,
  }),
  dataOf: ({ teamId, subjectId, name, limitKind, percent, limit, spent, held, resetsAt }) => ({
    teamId,
    keyId: subjectId,
    name,
    limitKind,
    percent,
    limitCredits: creditsOf(limit),
    spentCredits: creditsOf(spent),
    heldCredits: creditsOf(held),
    resetsAt: momentOf(resetsAt),
  }),
}

type Failing = RaisedAlert & { subjectId: string; deliveryId: string; attempts: number; responseCode: number | null }

/** Joins the webhooks `w` to their newest failed delivery. `during`: a condition on deliveries `d`; `which`: on the newest of each event. */
const newestFailed = (during: string, which = 'true') => `cross join lateral (
           select newest.id as delivery_id, newest.attempts, newest.response_code
             from unnest(array[${webhookEvents.map((event) => `'${event}'`).join()}]) as listed (event)
             cross join lateral (
               select d.id, d.attempts, d.response_code, d.created_at, d.event_number from webhook_deliveries d
                 where d.subscription_id = w.id and d.state = 'failed' and d.event = listed.event and ${during}
                 order by d.created_at at time zone 'UTC' desc, d.event_number desc limit 1
             ) newest
             where ${which} order by newest.created_at desc, newest.event_number desc limit 1
         ) failed`

/** Since yesterday, because retries may have begun before midnight. */
const webhookFailing: AlertCondition<Failing> = {
  kind: 'webhook.failing',
  ...alertStatements('webhook.failing', {
    source: `join webhook_subscriptions w
           on w.team_id = s.team_id and w.kind = 'events' and w.deleted_at is null and w.last_delivery_day >= ${today}
         ${newestFailed(
           `d.created_at at time zone 'UTC' >= ${today} - 1`,
           `exists (
               select from webhook_attempts t
                 where t.delivery_id = newest.id and t.number = newest.attempts and utc_day(t.begun_at) >= ${today})`,
         )}`,
    subject: 'w.id',
    threshold: `''`,
    where: 'true',
    duplicateOf: `a.day = ${today} and a.threshold = ''`,
    values: 'failed.delivery_id, failed.attempts, failed.response_code',
  }),
  dataOf: ({ teamId, subjectId, deliveryId, attempts, responseCode }) => ({
    teamId,
    subscriptionId: subjectId,
    deliveryId,
    attempts,
    responseCode,
  }),
}

type AutoPaused = Failing & { autoPausedAt: Date }

/** The threshold of an alert about an auto-pause: this word and its time, so that each pause alerts once. */
export const autoPausedThreshold = 'paused'

const webhookAutoPaused: AlertCondition<AutoPaused> = {
  kind: 'webhook.failing',
  ...alertStatements('webhook.failing', {
    name: 'webhook.auto_paused',
    source: `join webhook_subscriptions w on w.team_id = s.team_id and w.kind = 'events' and w.deleted_at is null
           and w.auto_paused_at > present() - interval '7 days'
         ${newestFailed(`d.created_at at time zone 'UTC' <= w.auto_paused_at at time zone 'UTC'`)}`,
    subject: 'w.id',
    threshold: `('${autoPausedThreshold} ' || extract(epoch from date_trunc('milliseconds', w.auto_paused_at)))`,
    where: 'true',
    duplicateOf: `a.threshold = ('${autoPausedThreshold} ' || extract(epoch from date_trunc('milliseconds', w.auto_paused_at)))`,
    values: 'failed.delivery_id, failed.attempts, failed.response_code, w.auto_paused_at',
  }),
  dataOf: ({ autoPausedAt, ...row }) => ({ ...webhookFailing.dataOf(row), autoPausedAt: momentOf(autoPausedAt) }),
}

/** An end alerts once at each threshold of days; another end of the same subject alerts again, but not on the same day. */
const expiry = (endsAt: string) => {
  const days = `case when ${endsAt} <= present() + interval '1 day' then 1 else 7 end`
  return {
    threshold: `(${days})::text`,
    endsAt,
    where: `${endsAt} > present() and ${endsAt} <= present() + interval '7 days'`,
    duplicateOf: `a.threshold = (${days})::text and (a.day = ${today} or a.ends_at = ${endsAt})`,
    values: `${days} as days`,
  }
}

type ExpiringKey = RaisedAlert & { subjectId: string; name: string; endsAt: Date; days: number }
const expiryOfKey = expiry('k.expires_at')

const keyExpiring: AlertCondition<ExpiringKey> = {
  kind: 'key.expiring',
  ...alertStatements('key.expiring', {
    ...expiryOfKey,
    source: 'join api_keys k on k.team_id = s.team_id',
    subject: 'k.id',
    where: `k.revoked_at is null and ${expiryOfKey.where}`,
    values: `k.name, ${expiryOfKey.values}`,
  }),
  dataOf: ({ teamId, subjectId, name, endsAt, days }) => ({ teamId, keyId: subjectId, name, expiresAt: momentOf(endsAt), days }),
}

type ExpiringPlan = RaisedAlert & { endsAt: Date; days: number }

const planExpiring: AlertCondition<ExpiringPlan> = {
  kind: 'plan.expiring',
  ...alertStatements('plan.expiring', {
    ...expiry('p.plan_expires_at'),
    source: 'join teams p on p.id = s.team_id',
    subject: 's.team_id',
  }),
  dataOf: ({ teamId, endsAt, days }) => ({ teamId, planExpiresAt: momentOf(endsAt), days }),
}

/** Every kind of alert. */
export const alertConditions = [
  creditsLow,
  keyNearCeiling,
  webhookFailing,
  webhookAutoPaused,
  keyExpiring,
  planExpiring,
] as unknown as AlertCondition[]
