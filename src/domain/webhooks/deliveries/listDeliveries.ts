import { isId } from '../../../contract/ids.ts'
import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { alertKinds } from '../../../entities/AlertSubscription.ts'
import { WebhookAttempt } from '../../../entities/WebhookAttempt.ts'
import { type DeliveryKind, type WebhookDeliveryState, webhookDeliveryStates } from '../../../entities/WebhookDelivery.ts'
import { type WebhookEvent, type WebhookSubscription, webhookEvents } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { type Statement, statement } from '../../sql.ts'
import { joinReceiver, type LoggedDelivery, loggedDeliveryColumns } from './findDelivery.ts'

/** Null or absent selects all. `since` selects events from that time on, `until` those before it. */
export type DeliveryFilter = {
  state?: WebhookDeliveryState | null | undefined
  event?: WebhookEvent | null | undefined
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/** `cursor` is the key of the entry. Lists are ordered by time of the event, subscription and event number. */
export type ListedDelivery = LoggedDelivery & { cursor: string }

/**
 * Each subscription, state and event is a range of the index `webhook_deliveries_listed`, already in list order. The query reads `limit`
 * entries of each range and merges them. `$5` to `$7` are the position before the first entry, `$8` to `$10` the position after the last.
 * The callbacks of the team `$12`, if it is given, are ranges of `callbacks_listed`. `$13`: subscriptions to alerts, with the kinds `$14`.
 */
function page(name: string, order: 'asc' | 'desc'): Statement<ListedDelivery> {
  const positionAt = (moment: string, subscription: string, number: string) =>
    `(timestamp 'epoch' + ${moment} * interval '1 microsecond',
       case when s.id < ${subscription} then 2147483647 when s.id = ${subscription} then ${number} else 0 end)`
  const callbackAt = (moment: string, subscription: string, number: string) =>
    `(timestamptz 'epoch' + ${moment} * interval '1 microsecond', ${subscription}, ${number})`
  return statement(
    name,
    `select ${loggedDeliveryColumns},
         (extract(epoch from d.created_at) * 1000000)::bigint || '|' || d.subscription_id || '|' || d.event_number as cursor
       from (
         (select nearest.id
           from (
             select id, event from unnest($1::text[]) w (id) cross join unnest($3::text[]) e (event)
             union all select id, event from unnest($13::text[]) a (id) cross join unnest($14::text[]) e (event)
           ) s cross join unnest($2::text[]) st (state)
           cross join lateral (
             select d.id, d.created_at at time zone 'UTC' as moment, d.event_number from webhook_deliveries d
               where d.subscription_id = s.id and d.state = st.state and d.event = s.event
                 and d.created_at at time zone 'UTC' >= coalesce($4::timestamptz at time zone 'UTC', '-infinity')
                 and (d.created_at at time zone 'UTC', d.event_number) < ${positionAt('$5::bigint', '$6', '$7::integer')}
                 and (d.created_at at time zone 'UTC', d.event_number) > ${positionAt('$8::bigint', '$9', '$10::integer')}
               order by d.created_at at time zone 'UTC' ${order}, d.event_number ${order} limit $11
           ) nearest
           order by nearest.moment ${order}, s.id ${order}, nearest.event_number ${order} limit $11)
         union all
         (select nearest.delivery_id
           from unnest($2::text[]) st (state) cross join unnest($3::text[]) e (event)
           cross join lateral (
             select c.delivery_id, c.event_at, c.subscription_id, c.event_number from callbacks c
               where c.team_id = $12 and c.state = st.state and c.event = e.event and c.delivery_id is not null
                 and c.event_at >= coalesce($4::timestamptz, '-infinity')
                 and (c.event_at, c.subscription_id, c.event_number) < ${callbackAt('$5::bigint', '$6', '$7::integer')}
                 and (c.event_at, c.subscription_id, c.event_number) > ${callbackAt('$8::bigint', '$9', '$10::integer')}
               order by c.event_at ${order}, c.subscription_id ${order}, c.event_number ${order} limit $11
           ) nearest
           order by nearest.event_at ${order}, nearest.subscription_id ${order}, nearest.event_number ${order} limit $11)
       ) listed (listed_id) cross join lateral (select * from webhook_deliveries where id = listed_id offset 0) d ${joinReceiver}
       order by d.created_at ${order}, d.subscription_id ${order}, d.event_number ${order} limit $11`,
  )
}

type Receivers = { subscriptionIds: readonly string[]; alertSubscriptionIds?: readonly string[]; callbacksOf?: string }

const newestFirst = page('list_deliveries', 'desc')
const oldestFirst = page('list_deliveries_from_the_end', 'asc')

type CursorParts = [micros: string, subscriptionId: string, eventNumber: number]
const firstPosition: CursorParts = ['9000000000000000', '', 0]
const lastPosition: CursorParts = ['0', '', 0]

/**
 * Lists the delivery log of subscriptions to events and to alerts, and of the callbacks of a team if one is named, newest event first, with
 * a `cursor` per entry and without bodies. Cursors never change, so new deliveries do not shift pages. An `event` excludes alerts.
 * Contract: docs/contract.md#delivery-log.
 */
export function listDeliveries(
  { sql }: Pick<Context, 'sql'>,
  { subscriptionIds, alertSubscriptionIds = [], callbacksOf, state, event, since, until }: DeliveryFilter & Receivers,
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<ListedDelivery[]> {
  return sql.all(fromTheEnd ? oldestFirst : newestFirst, [
    subscriptionIds,
    state ? [state] : webhookDeliveryStates,
    event ? [event] : webhookEvents,
    since ?? null,
    ...positionBeforeFirst(after, until),
    ...(before === undefined ? lastPosition : parseCursor(before)),
    limit,
    callbacksOf ?? null,
    alertSubscriptionIds,
    event ? [] : alertKinds,
  ])
}

const cursorFormat = /^(\d{1,16})\|(hook_[^|]+)\|([1-9]\d{0,9})$/

/** The earlier one of the position `after` and of the first event at `until`. */
function positionBeforeFirst(after: string | undefined, until: Date | null | undefined): CursorParts {
  const position = after === undefined ? firstPosition : parseCursor(after)
  const end = until ? until.getTime() * 1000 : Number.POSITIVE_INFINITY
  return end <= Number(position[0]) ? [String(Math.max(end, 0)), '', 0] : position
}

/** True when the text is the cursor of an entry of {@link listDeliveries}. */
export function isDeliveryCursor(text: string): boolean {
  const [, micros, subscriptionId, eventNumber] = cursorFormat.exec(text) ?? []
  return Number(micros) <= Number(firstPosition[0]) && isId('hook', subscriptionId ?? '') && Number(eventNumber) <= 2_147_483_647
}

function parseCursor(key: string): CursorParts {
  const [micros = '0', subscriptionId = '', eventNumber] = key.split('|')
  return [micros, subscriptionId, Number(eventNumber)]
}

const ofDeliveries = statement<WebhookAttempt>(
  'load_attempts',
  `select ${columnsOf(WebhookAttempt, 'a')} from unnest($1::text[]) as asked (id) cross join lateral (select * from webhook_attempts where delivery_id = asked.id offset 0) a
     order by a.delivery_id, a.number`,
)

/** Loads all attempts of the deliveries, ordered by delivery and attempt number. */
export function loadAttempts({ sql }: Pick<Context, 'sql'>, deliveryIds: readonly string[]): Promise<WebhookAttempt[]> {
  return sql.all(ofDeliveries, [deliveryIds])
}

/**
 * A team has up to 100 active subscriptions to events, and 100 to alerts. The rest of the limit is for subscriptions deleted in the last
 * month.
 */
const subscriptionsMax = 300

const subscriptionsWithDeliveries = statement<Pick<WebhookSubscription, 'id' | 'kind'>>(
  'subscriptions_with_deliveries',
  `select id, kind from webhook_subscriptions
     where team_id = $1 and kind = any($3) and last_event_number > 0 and ($2::text is null or id = $2)
     order by deleted_at is not null, id desc limit ${subscriptionsMax}`,
)

/** `kind`: only deliveries of that kind. */
type TeamDeliveryFilter = DeliveryFilter & {
  teamId: string
  subscriptionId?: string | null | undefined
  kind?: DeliveryKind | null | undefined
}

/**
 * Lists the delivery log of a team, newest event first, with a `cursor` per entry. It covers the active subscriptions and the latest
 * deleted ones, 300 in all, and callbacks; or only one `kind`, or only `subscriptionId`. The list is empty for an unknown subscription and
 * for another team's.
 */
export async function listTeamDeliveries(
  { sql }: Pick<Context, 'sql'>,
  { teamId, subscriptionId, kind, ...filter }: TeamDeliveryFilter,
  window: ListWindow,
): Promise<ListedDelivery[]> {
  const kinds = kind ? subscriptionKinds[kind] : ['events', 'alerts']
  const subscriptions = kinds.length === 0 ? [] : await sql.all(subscriptionsWithDeliveries, [teamId, subscriptionId ?? null, kinds])
  const idsOf = (wanted: WebhookSubscription['kind']) => subscriptions.filter((each) => each.kind === wanted).map(({ id }) => id)
  const receivers = { subscriptionIds: idsOf('events'), alertSubscriptionIds: idsOf('alerts') }
  const withCallbacks = !subscriptionId && (kind ?? 'callback') === 'callback'
  return listDeliveries({ sql }, { ...filter, ...receivers, ...(withCallbacks ? { callbacksOf: teamId } : {}) }, window)
}

const subscriptionKinds: Record<DeliveryKind, WebhookSubscription['kind'][]> = { webhook: ['events'], alert: ['alerts'], callback: [] }
