import { limits } from '../../../contract/limits.ts'
import { type WebhookEvent, webhookEvents } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { enqueueDeliveries } from '../sending/deliveryJobs.ts'
import { autoPausedWords } from './autoPausedWords.ts'
import { closeOrphanedDeliveries } from './deleteSubscription.ts'

/** Fewer failed attempts, or on fewer days in UTC, could be a short outage that met each of a few events. */
const attemptsMin = 20
const daysMin = 4

/** Keeps one search well within the statement timeout: a webhook that failed in each hour of 30 days takes 1 ms. */
const searchedAtOnce = 500

type Found = { id: string; teamId: string }
type Failing = { id: string; first: Date }

const findCandidates = statement<{ id: string }>(
  'find_candidates_for_auto_pause',
  `select s.id from webhook_subscriptions s
     where s.kind = 'events' and s.deleted_at is null and not s.paused and s.auto_paused_at is null
       and s.last_delivery_outcome <> 'delivered' and s.last_delivery_day >= utc_day(present()) - 1
     order by s.id`,
)

/**
 * Finds those of the webhooks `$2` that had no success for `$1` days, and the hour of their first failure. Only failures in hours in which
 * another receiver of the deployment accepted a delivery count, and one of them is of this or the previous hour: an outage of our own
 * network pauses no webhook. Failures before the last resume do not count, nor those before this routine was installed: older releases did
 * not record resumes.
 */
const findFailing = statement<Failing>(
  'find_webhooks_to_pause',
  `with accepting as materialized (
    select hours.hour from generate_series(date_trunc('hour', present(), 'UTC') - interval '30 days', date_trunc('hour', present(), 'UTC'),
        interval '1 hour') as hours (hour)
      cross join lateral (select from webhook_hours h where h.hour = hours.hour and h.delivered > 0 limit 1) as accepted
  )
  select s.id, f.first from webhook_subscriptions s cross join lateral (
      select min(h.hour) as first, max(h.hour) as last, count(distinct utc_day(h.hour)) as days, sum(h.failed) as attempts
        from webhook_hours h join accepting a on a.hour = h.hour
        where h.subscription_id = s.id and h.failed > 0
          and h.hour >= coalesce(greatest(s.resumed_at, (select added_at from routines where name = 'pauseFailing')), '-infinity')
          and h.hour > coalesce(
            (select max(d.hour) from webhook_hours d where d.subscription_id = s.id and d.delivered > 0), '-infinity')
    ) f
    where s.id = any($2::text[])
      and f.last >= date_trunc('hour', present(), 'UTC') - interval '1 hour' and f.last > f.first + $1 * interval '1 day'
      and f.days >= least(${daysMin}, $1 + 1) and f.attempts >= ${attemptsMin}
    order by s.id`,
)

/**
 * Pauses `$1`, which failed since `$2`, unless it had a success since or was resumed. PostgreSQL checks the conditions on `s` again after it
 * waited for a success or a resume that was being recorded.
 */
const pause = statement<Found>(
  'pause_failing_webhook',
  `update webhook_subscriptions s set auto_paused_at = present()
     where s.id = $1 and s.deleted_at is null and not s.paused and s.auto_paused_at is null
       and s.last_delivery_outcome <> 'delivered' and coalesce(s.resumed_at, '-infinity') <= $2
       and not exists (select from webhook_hours h where h.subscription_id = s.id and h.delivered > 0 and h.hour >= $2)
     returning s.id, s.team_id`,
)

/**
 * Pauses webhooks whose every attempt failed for `WEBHOOK_AUTO_PAUSE_DAYS`, and closes their open deliveries as failed. From then on their
 * events are recorded as failed deliveries without an attempt. Resumes those that accepted an attempt that was running when they were
 * paused. Several processes may run it. Returns the number of paused webhooks. Locks: one subscription at a time.
 * Contract: docs/contract.md#auto-pause-of-a-webhook.
 */
export async function pauseFailingSubscriptions(context: Context): Promise<number> {
  await resumeRecovered(context)
  const days = context.settings.webhookAutoPauseDays
  if (days === 0) return 0
  let paused = 0
  const candidates = (await context.sql.all(findCandidates, [])).map(({ id }) => id)
  for (let at = 0; at < candidates.length; at += searchedAtOnce) {
    const failing = await context.sql.all(findFailing, [days, candidates.slice(at, at + searchedAtOnce)])
    for (const each of failing) paused += await pauseOne(context, { ...each, days })
  }
  if (paused > 0) await closeOrphanedDeliveries(context)
  return paused
}

async function pauseOne(context: Context, { id, first, days }: Failing & { days: number }): Promise<number> {
  return await transaction(context, async (inside) => {
    const found = await inside.sql.one(pause, [id, first])
    if (!found) return 0
    await recordAudit(inside, {
      action: 'webhook.updated',
      teamId: found.teamId,
      subjectId: id,
      before: { paused: false },
      after: { paused: true, reason: 'failing', days },
    })
    context.log.info({ subscriptionId: id, days }, 'a webhook that failed for days is paused')
    return 1
  })
}

const hasRecovered = `exists (
  select from webhook_hours h
    where h.subscription_id = s.id and h.delivered > 0 and h.hour >= date_trunc('hour', s.auto_paused_at - interval '1 hour', 'UTC'))`

const findRecovered = statement<{ id: string; since: Date }>(
  'find_recovered_webhooks',
  `select s.id, greatest(s.auto_paused_at - interval '7 days', s.resumed_at) as since from webhook_subscriptions s
     where s.auto_paused_at is not null and s.deleted_at is null and ${hasRecovered} order by s.id`,
)
const resume = statement<Found>(
  'resume_recovered_webhook',
  `update webhook_subscriptions s set auto_paused_at = null, resumed_at = present()
     where s.id = $1 and s.auto_paused_at is not null and s.deleted_at is null and ${hasRecovered} returning s.id, s.team_id`,
)
const reopenBatch = 2_000
/** Reopens deliveries since `$5`. Those of an earlier auto-pause stay failed, because a person may have decided so. */
const reopen = statement<{ reopened: number }>(
  'reopen_unattempted_deliveries',
  `select reopen_webhook_deliveries(array(
     select d.id from unnest($2::text[]) as listed (event) join webhook_deliveries d
         on d.subscription_id = $1 and d.state = 'failed' and d.event = listed.event
           and d.created_at at time zone 'UTC' >= $5::timestamptz at time zone 'UTC'
       where d.refusal = $3 limit ${reopenBatch}), array['failed'], $4) as reopened`,
)

/** Nothing is sent during an auto-pause, so a success in its hour belongs to an attempt that ran when it began. */
async function resumeRecovered(context: Context): Promise<void> {
  const events: readonly WebhookEvent[] = webhookEvents
  for (const { id, since } of await context.sql.all(findRecovered, [])) {
    const asked = [id, events, autoPausedWords, limits.webhookRetries, since]
    // Without the lock of the subscription, which ends of generations need. Nothing is sent before the resume.
    let reopened = reopenBatch
    while (reopened === reopenBatch) reopened = (await context.sql.one(reopen, asked))?.reopened ?? 0
    await transaction(context, async (inside) => {
      const found = await inside.sql.one(resume, [id])
      if (!found) return
      await inside.sql.one(reopen, asked)
      const before = { paused: true, reason: 'failing' }
      await recordAudit(inside, { action: 'webhook.updated', teamId: found.teamId, subjectId: id, before, after: { paused: false } })
      await enqueueDeliveries(inside, [id])
    })
  }
}
