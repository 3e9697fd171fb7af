import { Readable } from 'node:stream'
import sharp from 'sharp'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { createUser } from '../../../src/domain/access/people/users.ts'
import { spenderOf } from '../../../src/domain/access/spender.ts'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { createTeam } from '../../../src/domain/access/teams/teams.ts'
import { type Context, contextFor, type Services } from '../../../src/domain/context.ts'
import { grantCredits } from '../../../src/domain/credits/grantCredits.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { beginAttempts } from '../../../src/domain/webhooks/sending/beginAttempts.ts'
import { dueDeliveries } from '../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { endAttempts } from '../../../src/domain/webhooks/sending/endAttempts.ts'
import { createSubscription } from '../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import type { Scope } from '../../../src/entities/ApiKey.ts'
import type { TestClock } from '../clock.ts'
import { actorOf, aServiceContext } from '../factories.ts'
import { endAtOnce, type WantedEnd } from '../generations/generationTransitions.ts'

/** The time that the documentation's screenshots show. */
export const screenshotMoment = '2026-11-20T15:00:00.000Z'

const minute = 60_000
const prompts = ['A lighthouse at dusk, calm sea', 'The same harbour in fog', 'A red boat at the pier', 'Cliffs from above, first snow']

/** A deterministic team with keys, webhooks (one fails), and a month of generations. */
export async function aScreenshotScene(services: Services, clock: TestClock) {
  const tool = aServiceContext(services)
  await clock.set('2026-10-21T09:00:00.000Z')
  const team = await createTeam(tool, { name: 'Studio North' })
  const user = await createUser(tool, { email: 'ada@studio.example', name: 'Ada Lovelace', subscriptionActive: true })
  await setTeamMember(tool, { teamId: team.id, userId: user.id, role: 'owner' })
  await addColleagues(tool, team.id)
  await grantCredits(tool, { teamId: team.id, credits: 2500, note: 'October', idempotencyKey: 'picture' })
  const owner = contextFor(services, { kind: 'person', userId: user.id })
  const aKey = async (name: string, scopes: readonly Scope[], dailyLimitCredits?: number, singleLimitCredits?: number) =>
    (await issueKey(owner, { teamId: team.id, userId: user.id, name, scopes, dailyLimitCredits, singleLimitCredits })).apiKey
  const bot = await aKey('render-bot', ['catalog:read', 'generations:read', 'generations:write'], 35, 10)
  const site = await aKey('shop-front', ['generations:read', 'generations:write', 'files:write'], 200)
  await aKey('nightly-report', ['generations:read', 'account:read'])

  const picture = await storedPicture(services)
  const run = async (key: typeof bot, index: number, wanted: WantedEnd, familyId = 'sandbox-image') => {
    const actor = actorOf(key)
    const context = contextFor(services, actor)
    const axes = familyId === 'sandbox-image' ? { version: index % 3 === 0 ? 'pro' : 'standard' } : {}
    const request = { familyId, prompt: prompts[index % prompts.length] ?? '', axes, reference: `order-${4700 + index}` }
    const { generation } = await startGeneration(context, spenderOf(actor), { request, idempotencyKey: undefined })
    await clock.advance(4000)
    await endAtOnce(context, String(generation['generationId']), wanted)
    return String(generation['generationId'])
  }
  const ready = { to: 'ready', result: picture } as const
  const failed = { to: 'failed', failure: { code: 'content_policy', reason: 'prompt_rejected' } } as const
  for (let day = 0; day < 28; day += 1)
    for (let index = 0; index < 2 + ((day * 7) % 5); index += 1) {
      await clock.set(new Date(Date.UTC(2026, 9, 22 + day, 9 + index)))
      await run(
        index % 2 === 0 ? bot : site,
        day + index,
        index === 4 ? failed : ready,
        day % 4 === 1 && index === 0 ? 'sandbox-3d' : undefined,
      )
    }

  await clock.set(new Date(Date.parse(screenshotMoment) - 6 * 60 * minute))
  const subscribe = (path: string) =>
    createSubscription(owner, {
      teamId: team.id,
      address: `http://127.0.0.1/${path}`,
      events: ['generation.completed', 'generation.failed'],
    })
  const shop = (await subscribe('shop')).subscription
  const archive = (await subscribe('archive')).subscription
  let shown = ''
  for (let index = 0; index < 9; index += 1) {
    shown = await run(index % 3 === 2 ? site : bot, index, index === 5 ? failed : ready)
    const isOut = index > 5
    await attempt(services, [shop.id], delivered)
    await attempt(services, [archive.id], isOut ? refused(20) : delivered)
    for (let retry = 0; isOut && retry < 6; retry += 1) {
      await clock.advance(minute)
      await attempt(services, [archive.id], refused(retry === 5 ? null : 20))
    }
    await clock.advance(32 * minute)
  }
  for (const { id, host } of [
    { id: shop.id, host: 'shop' },
    { id: archive.id, host: 'archive' },
  ])
    await services.pool.query('update webhook_subscriptions set address = $2 where id = $1', [
      id,
      `https://${host}.studio.example/hooks/atelier`,
    ])
  await services.pool.query(
    `update webhook_attempts a set begun_at = d.created_at + (pauses.seconds + 1) * interval '1 s'
       from webhook_deliveries d, (values (1, 0), (2, 10), (3, 30), (4, 70), (5, 150), (6, 310), (7, 630)) as pauses (number, seconds)
       where d.id = a.delivery_id and pauses.number = a.number`,
  )
  await services.pool.query(
    `update api_keys set prefix = used.prefix, last_used_at = $1::timestamptz - make_interval(mins => used.minutes)
       from (values ('render-bot', 'atl_7Kd2mX9q', 2), ('shop-front', 'atl_c4WnBv0E', 47), ('nightly-report', 'atl_Zp61uTsa', null)) as used (name, prefix, minutes)
       where api_keys.name = used.name`,
    [screenshotMoment],
  )
  await clock.set(screenshotMoment)
  return { team, user, shown }
}

async function addColleagues(tool: Context, teamId: string): Promise<void> {
  const colleagues = [
    { name: 'Grace Hopper', email: 'grace@studio.example', role: 'admin' },
    { name: 'Alan Turing', email: 'alan@studio.example', role: 'member' },
  ] as const
  for (const { role, ...person } of colleagues) {
    const { id: userId } = await createUser(tool, person)
    await setTeamMember(tool, { teamId, userId, role })
  }
}

type Outcome = { outcome: 'delivered' } | { outcome: 'failed'; refusal: string; pauseSeconds: number | null }

const delivered: Outcome = { outcome: 'delivered' }
const refused = (pauseSeconds: number | null): Outcome => ({ outcome: 'failed', refusal: 'answered 503', pauseSeconds })

/** Attempts all due deliveries, with this answer of the receiver. */
async function attempt(services: Services, subscriptionIds: string[], outcome: Outcome): Promise<void> {
  const context = aServiceContext(services)
  await services.pool.query(
    'update webhook_deliveries set next_attempt_at = present() where subscription_id = any($1) and next_attempt_at is not null',
    [subscriptionIds],
  )
  const found = await dueDeliveries(context, subscriptionIds, [])
  const begun = await beginAttempts(
    context,
    found.flatMap(({ due }) => due),
  )
  for (const each of begun) {
    if (!each) continue
    const isWell = outcome.outcome === 'delivered'
    const answer = { responseCode: isWell ? 204 : 503, start: isWell ? null : Buffer.from('archive is being moved, back at 16:00') }
    const report = { deliveryId: each.deliveryId, number: each.number, tookSeconds: isWell ? 0.084 : 0.031, ...answer, ...outcome }
    await endAttempts(context, [report])
  }
}

const width = 768
const height = 512

/** A lighthouse at dusk. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#1f2a56"/><stop offset=".6" stop-color="#8a5a83"/><stop offset="1" stop-color="#f3a26d"/>
    </linearGradient>
    <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a9687a"/><stop offset="1" stop-color="#1b2446"/></linearGradient>
    <linearGradient id="beam" x1="1" y1="0" x2="0" y2="0"><stop offset="0" stop-color="#fff3c4" stop-opacity=".9"/><stop offset="1" stop-color="#fff3c4" stop-opacity="0"/></linearGradient>
  </defs>
  <rect width="768" height="350" fill="url(#sky)"/><rect y="350" width="768" height="162" fill="url(#sea)"/>
  <circle cx="250" cy="338" r="46" fill="#ffd9a0"/><rect y="350" width="768" height="40" fill="#a9687a" opacity=".85"/>
  <path d="M548 152 L40 70 L40 196 Z" fill="url(#beam)"/>
  <path d="M440 512 L500 392 L560 360 L640 366 L768 330 L768 512 Z" fill="#141a33"/>
  <path d="M530 372 L538 178 L582 178 L590 372 Z" fill="#f4efe6"/><path d="M534 268 L586 268 L588 316 L532 316 Z" fill="#b5373c"/>
  <rect x="528" y="166" width="64" height="12" fill="#2a3157"/><rect x="542" y="138" width="36" height="28" fill="#ffe9a8"/>
  <path d="M536 138 L560 112 L584 138 Z" fill="#b5373c"/>
</svg>`

async function storedPicture({ storage }: Services) {
  const content = await sharp(Buffer.from(drawing)).png().toBuffer()
  const { key, sizeBytes, sha256 } = await storage.put('results/picture', Readable.from([content]))
  return { storageKey: key, mimeType: 'image/png', sizeBytes, sha256, width, height, durationSeconds: null }
}
