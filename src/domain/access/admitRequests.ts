import { nestedRow } from '../../database/nestedRow.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import { Generation } from '../../entities/Generation.ts'
import type { Role } from '../../entities/Membership.ts'
import { type Sql, statement } from '../sql.ts'

/** A key as it stands at this moment, with what its user, team and membership say. */
export type FoundKey = {
  keyId: string
  userId: string
  teamId: string | null
  scopes: Scope[]
  subscriptionActive: boolean
  blocked: boolean | null
  externalAccess: boolean | null
  planExpiresAt: Date | null
  role: Role | null
}

/** Who asks: the hash of the key presented, if it has the form of one, and the client's address; and which generation for, if any. */
export type Asking = { hash: Buffer | undefined; address: string; generationId?: string | undefined }

/** What one request met. `subject`: whom it was counted for. `windowEndsAt` in Unix seconds. */
export type Counted = {
  key: FoundKey | undefined
  /** The generation that was asked for, as it stands at this moment, if it belongs to whom the key acts for. */
  generation: Generation | undefined
  subject: string
  requestsCounted: number
  slotGranted: boolean
  slotsUsed: number
  windowEndsAt: number
}

type Row = Partial<FoundKey> & {
  position: string | null
  subject: string
  requestsCounted: number
  slotsAsked: number
  slotsGranted: number
  slotsUsed: number
  windowCounted: string
}

const generation = nestedRow(Generation, 'g', 'generation')

const countAll = statement<Row>('admit_requests', admitting({ columns: '', join: '' }))
/** Reads on the way which generation each asks about, so that a look at one is no statement of its own. */
const countAndRead = statement<Row>(
  'admit_requests_and_read',
  admitting({
    columns: `, ${generation.columns}`,
    join: 'left join generations g on g.id = found.about and g.owner_id = coalesce(found.team_id, found.user_id)',
  }),
)

function admitting({ columns, join }: { columns: string; join: string }): string {
  return `with asked as (
     select hash, address, about, position
       from unnest($1::bytea[], $2::text[], $8::text[]) with ordinality as asked (hash, address, about, position)
   ), found as (
     select asked.position, coalesce('user:' || k.user_id, 'address:' || asked.address) as subject, asked.about, k.id as key_id, k.user_id,
         k.team_id, k.scopes, u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role
       from asked
         left join api_keys k on k.hash = asked.hash and k.revoked_at is null
         left join users u on u.id = k.user_id
         left join teams t on t.id = k.team_id
         left join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
   ), wanted as (
     select subject, sum(requests)::integer as requests, sum(slots)::integer as slots, sum(freed)::integer as freed
       from (
         select subject, 1 as requests, (key_id is not null)::integer as slots, 0 as freed from found
         union all select freed.subject, 0, 0, freed.count from unnest($3::text[], $4::integer[]) as freed (subject, count)
       ) as moves (subject, requests, slots, freed)
       group by subject order by subject
   ), counted as materialized (
     select wanted.subject, wanted.slots as slots_asked, result.* from wanted
       cross join lateral count_requests(wanted.subject, $5, $6, wanted.requests, wanted.slots, wanted.freed, $7) as result
   )
   select counted.subject, counted.slots_asked, counted.requests_counted, counted.slots_granted, counted.slots_used,
       counted.window_counted, found.position, found.key_id, found.user_id, found.team_id, found.scopes, found.subscription_active, found.blocked,
       found.external_access, found.plan_expires_at, found.role${columns}
     from counted left join found using (subject) ${join} order by found.position`
}

/**
 * Finds the keys of requests that arrive together and counts each of them and its slot, in one statement, together with the slots that
 * became free meanwhile. Gives what each met, in the order of `asking`; of several that want the last slots the first get them.
 */
export async function admitRequests(
  sql: Sql,
  asking: readonly Asking[],
  {
    freed,
    processId,
    minute,
    slotsMax,
  }: { freed: [subject: string, count: number][]; processId: string; minute: number; slotsMax: number },
): Promise<Counted[]> {
  const about = asking.map(({ generationId }) => generationId ?? null)
  const rows = await sql.all(about.some((id) => id !== null) ? countAndRead : countAll, [
    asking.map(({ hash }) => hash ?? Buffer.alloc(0)),
    asking.map(({ address }) => address),
    freed.map(([subject]) => subject),
    freed.map(([, count]) => count),
    processId,
    minute,
    slotsMax,
    about,
  ])
  const shares = new Map<string, Share>()
  const counted = rows.filter(({ position }) => position !== null)
  return counted
    .toReversed()
    .map((row) => countedOf(row, shares))
    .toReversed()
}

/** What is left of a subject's count and slots while they are dealt out, last request first. */
type Share = { requestsCounted: number; slotsToRefuse: number }

function countedOf(row: Row, shares: Map<string, Share>): Counted {
  const { subject, slotsUsed, windowCounted } = row
  const key = row.keyId ? (row as Row & FoundKey) : undefined
  const share = shares.get(subject) ?? { requestsCounted: row.requestsCounted, slotsToRefuse: row.slotsAsked - row.slotsGranted }
  const slotGranted = key !== undefined && share.slotsToRefuse === 0
  shares.set(subject, {
    requestsCounted: share.requestsCounted - 1,
    slotsToRefuse: slotGranted || key === undefined ? share.slotsToRefuse : share.slotsToRefuse - 1,
  })
  const windowEndsAt = (Number(windowCounted) + 1) * 60
  const found = generation.read(row)
  return { key, generation: found, subject, requestsCounted: share.requestsCounted, slotGranted, slotsUsed, windowEndsAt }
}
