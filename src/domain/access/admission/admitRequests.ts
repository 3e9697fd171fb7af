import { nestedRow } from '../../../database/pool/nestedRow.ts'
import type { Scope } from '../../../entities/ApiKey.ts'
import { Generation } from '../../../entities/Generation.ts'
import type { Role } from '../../../entities/Membership.ts'
import { type Sql, statement } from '../../sql.ts'
import { sessionNeedsRenewal } from '../sessions/sessions.ts'

/** A live key with the present state of its issuer, team and memberships. */
export type FoundKey = {
  keyId: string
  userId: string
  teamId: string | null
  scopes: Scope[]
  subscriptionActive: boolean
  expiresAt: Date | null
  blocked: boolean | null
  externalAccess: boolean | null
  planExpiresAt: Date | null
  role: Role | null
  /** The person to whom a rotation showed the presented value, and their present role in the team. */
  holderId: string | null
  holderRole: Role | null
}

/** A valid session. `needsRenewal`: the last renewal was more than a day ago, and the session can still be extended. */
export type FoundSession = { sessionId: string; userId: string; needsRenewal: boolean }

/**
 * The caller of a request: the hash of the presented key, if it has the form of a key, or the digest of the session, and the client's
 * address. `generationId`: the generation to read in the same statement, if any.
 */
export type AdmissionRequest = {
  hash: Buffer | undefined
  address: string
  generationId?: string | undefined
  session?: Buffer | undefined
}

/** Limits of requests per minute and of requests in progress. */
export type RequestLimits = { requestsPerMinute: number; requestsInProgress: number }

/**
 * The result for one request. `subject`: the user or address that it was counted for. `limits`: those of the user's tier, or of the
 * deployment. `windowEndsAt` in Unix seconds.
 */
export type AdmissionResult = {
  key: FoundKey | undefined
  session: FoundSession | undefined
  /** The present state of the requested generation, if the key's team or person owns it. */
  generation: Generation | undefined
  subject: string
  requestsCounted: number
  slotGranted: boolean
  slotsUsed: number
  limits: RequestLimits
  windowEndsAt: number
}

type Row = Partial<FoundKey> & {
  sessionId?: string | null
  sessionUserId?: string | null
  sessionNeedsRenewal?: boolean | null
  position: string | null
  subject: string
  requestsCounted: number
  slotsAsked: number
  slotsGranted: number
  slotsUsed: number
  perMinute: number
  inProgress: number
  windowCounted: string
}

const generation = nestedRow(Generation, 'g', 'generation')
const keyColumnsOnly = { values: '', names: '', user: 'k.user_id', who: "'user:' || k.user_id", found: '', join: '', columns: '' }

const admitByKey = statement<Row>('admit_requests', admitting({ columns: '', join: '' }))
/** Reads the requested generation in the same statement. */
const about = {
  columns: `, ${generation.columns}`,
  join: 'left join generations g on g.id = found.about and g.owner_id = coalesce(found.team_id, found.user_id)',
}
const admitByKeyAndReadGeneration = statement<Row>('admit_requests_and_read', admitting(about))

/** For a batch with sessions; it may contain keys too. */
const admitByKeyOrSession = statement<Row>('admit_requests_of_sessions', admitting(about, sessionColumns()))

/**
 * The parts of the statement for a batch with sessions. Sessions are counted separately from keys, so that heavy use of a leaked key does
 * not prevent its owner from revoking it in the browser.
 */
function sessionColumns() {
  return {
    values: ', $10::bytea[]',
    names: ', session',
    user: 'coalesce(k.user_id, s.user_id)',
    who: "coalesce('user:' || k.user_id, 'session:' || s.user_id)",
    found: `, s.id as session_id, s.user_id as session_user_id, ${sessionNeedsRenewal} as session_needs_renewal`,
    join: 'left join auth.sessions s on s.digest = asked.session and s.expires_at > present()',
    columns: ', found.session_id, found.session_user_id, found.session_needs_renewal',
  }
}

function admitting({ columns, join }: { columns: string; join: string }, session = keyColumnsOnly): string {
  return `with asked as (
     select hash, address, about, position${session.names}
       from unnest($1::bytea[], $2::text[], $8::text[]${session.values}) with ordinality as asked (hash, address, about${session.names}, position)
   ), found as (
     select asked.position, coalesce(${session.who}, 'address:' || asked.address) as subject, asked.about, k.id as key_id, k.user_id,
         k.team_id, k.scopes, k.expires_at, u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role, k.holder_id,
         h.role as holder_role,
         ${session.who} is not null as is_known, tier.per_minute, tier.in_progress${session.found}
       from asked
         ${session.join}
         left join lateral (
           select id, user_id, team_id, scopes, expires_at, value_holder_id as holder_id from api_keys
             where hash = asked.hash and key_is_live(revoked_at, expires_at)
           union all select id, user_id, team_id, scopes, expires_at, previous_holder_id from api_keys
             where previous_hash = asked.hash and previous_until > present() and key_is_live(revoked_at, expires_at)
         ) k on true
         left join users u on u.id = k.user_id
         left join teams t on t.id = k.team_id
         left join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
         left join memberships h on h.team_id = k.team_id and h.user_id = k.holder_id
         cross join lateral request_limits(${session.user}, $9, $7) as tier
   ), wanted as (
     select subject, sum(requests)::integer as requests, sum(slots)::integer as slots, sum(freed)::integer as freed, max(slots_max) as slots_max
       from (
         select subject, 1 as requests, is_known::integer as slots, 0 as freed, in_progress as slots_max from found
         union all select freed.subject, 0, 0, freed.count, 0 from unnest($3::text[], $4::integer[]) as freed (subject, count)
       ) as moves (subject, requests, slots, freed, slots_max)
       group by subject order by subject
   ), counted as materialized (
     select wanted.subject, wanted.slots as slots_asked, result.* from wanted
       cross join lateral count_requests(wanted.subject, $5, $6, wanted.requests, wanted.slots, wanted.freed, wanted.slots_max) as result
   )
   select counted.subject, counted.slots_asked, counted.requests_counted, counted.slots_granted, counted.slots_used,
       counted.window_counted, found.position, found.per_minute, found.in_progress, found.key_id, found.user_id, found.team_id, found.scopes, found.expires_at,
       found.subscription_active, found.blocked, found.external_access, found.plan_expires_at, found.role, found.holder_id, found.holder_role${columns}${session.columns}
     from counted left join found using (subject) ${join} order by found.position`
}

type Counting = { freed: [subject: string, count: number][]; processId: string; minute: number; limits: RequestLimits }

/**
 * Finds the keys of a batch of requests and counts each request and its slot, in one statement, together with the released slots. Returns
 * the results in the order of `asking`. If the free slots are not enough, the first requests get them. `limits`: of the deployment.
 */
export async function admitRequests(
  sql: Sql,
  asking: readonly AdmissionRequest[],
  { freed, processId, minute, limits }: Counting,
): Promise<AdmissionResult[]> {
  const generations = asking.map(({ generationId }) => generationId ?? null)
  const sessions = asking.map(({ session }) => session ?? null)
  const hasSessions = sessions.some((session) => session !== null)
  const question = hasSessions ? admitByKeyOrSession : generations.some((id) => id !== null) ? admitByKeyAndReadGeneration : admitByKey
  const rows = await sql.all(question, [
    asking.map(({ hash }) => hash ?? Buffer.alloc(0)),
    asking.map(({ address }) => address),
    freed.map(([subject]) => subject),
    freed.map(([, count]) => count),
    processId,
    minute,
    limits.requestsInProgress,
    generations,
    limits.requestsPerMinute,
    ...(hasSessions ? [sessions] : []),
  ])
  const shares = new Map<string, Share>()
  const counted = rows.filter(({ position }) => position !== null)
  return counted
    .toReversed()
    .map((row) => admissionResultOf(row, shares))
    .toReversed()
}

/** The rest of a subject's count and denied slots while they are assigned to its requests, last request first. */
type Share = { requestsCounted: number; slotsToDeny: number }

function admissionResultOf(row: Row, shares: Map<string, Share>): AdmissionResult {
  const { subject, slotsUsed, windowCounted } = row
  const key = row.keyId ? (row as Row & FoundKey) : undefined
  const session = sessionOf(row)
  const isKnown = key !== undefined || session !== undefined
  const share = shares.get(subject) ?? { requestsCounted: row.requestsCounted, slotsToDeny: row.slotsAsked - row.slotsGranted }
  const slotGranted = isKnown && share.slotsToDeny === 0
  shares.set(subject, {
    requestsCounted: share.requestsCounted - 1,
    slotsToDeny: slotGranted || !isKnown ? share.slotsToDeny : share.slotsToDeny - 1,
  })
  const windowEndsAt = (Number(windowCounted) + 1) * 60
  const found = generation.read(row)
  const limits = { requestsPerMinute: row.perMinute, requestsInProgress: row.inProgress }
  return { key, session, generation: found, subject, requestsCounted: share.requestsCounted, slotGranted, slotsUsed, limits, windowEndsAt }
}

function sessionOf({ sessionId, sessionUserId, sessionNeedsRenewal }: Row): FoundSession | undefined {
  return sessionId && sessionUserId ? { sessionId, userId: sessionUserId, needsRenewal: sessionNeedsRenewal === true } : undefined
}
