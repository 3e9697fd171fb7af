import type { Scope } from '../../entities/ApiKey.ts'
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

/** What one request met at the gate. `slotGranted` is false for requests without a valid key: they hold none. */
export type Admitted = {
  key: FoundKey | undefined
  requestsCounted: number
  slotGranted: boolean
  slotsUsed: number
  windowEndsAt: number
  /** Gives the slot back; harmless when repeated. */
  leave(): void
}

export type RequestGate = {
  admit(hash: Buffer | undefined, address: string): Promise<Admitted>
  /** Writes what is still to be freed. */
  close(): Promise<void>
}

type Row = Partial<FoundKey> & { position: string | null; subject: string; requestsCounted: number; slotsAsked: number; slotsGranted: number; slotsUsed: number }
type Waiting = { hash: Buffer | undefined; address: string; resolve(admitted: Admitted): void; reject(error: unknown): void }

const admitRequests = statement<Row>(
  'admit_requests',
  `with asked as (
     select * from unnest($1::bytea[], $2::text[]) with ordinality as asked (hash, address, position)
   ), found as (
     select asked.position, coalesce('user:' || k.user_id, 'address:' || asked.address) as subject, k.id as key_id, k.user_id, k.team_id,
         k.scopes, u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role
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
   select * from counted left join found using (subject) order by found.position`,
)

const flushPauseMs = 20

/**
 * The gate that every public request passes: finds the key by its hash and counts the request and its slot, per user over
 * all keys and processes. Requests that arrive together share one statement, and so do the slots that became free.
 * Spec: Authentication 5, 8, 9; Limits.
 */
export function makeRequestGate(options: {
  sql: Sql
  processId: string
  clock: { now(): Date }
  requestsInProgress: number
  onError(error: unknown): void
}): RequestGate {
  const freed = new Map<string, number>()
  let waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const leaveOnce = (subject: string) => {
    let left = false
    return () => {
      if (left) return
      left = true
      freed.set(subject, (freed.get(subject) ?? 0) + 1)
      timer ??= setTimeout(wake, flushPauseMs)
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    const freeing = [...freed]
    waiting = []
    freed.clear()
    const windowStart = Math.floor(options.clock.now().getTime() / 60_000)
    try {
      const rows = await options.sql.all(admitRequests, [
        batch.map((asked) => asked.hash ?? Buffer.alloc(0)),
        batch.map((asked) => asked.address),
        freeing.map(([subject]) => subject),
        freeing.map(([, count]) => count),
        options.processId,
        windowStart,
        options.requestsInProgress,
      ])
      const shares = new Map<string, Share>()
      for (const row of rows.reverse()) {
        const asked = row.position === null ? undefined : batch[Number(row.position) - 1]
        asked?.resolve(admittedOf(row, shares, windowStart, leaveOnce))
      }
    } catch (error) {
      for (const [subject, count] of freeing) freed.set(subject, (freed.get(subject) ?? 0) + count)
      if (batch.length === 0) options.onError(error)
      for (const asked of batch) asked.reject(error)
      timer ??= setTimeout(wake, 1000)
    }
  }

  function wake(): void {
    if (running) return
    running = (async () => {
      await new Promise(setImmediate)
      do await flush()
      while (waiting.length > 0)
    })().finally(() => {
      running = undefined
      if (waiting.length > 0) wake()
      else if (freed.size > 0) timer ??= setTimeout(wake, flushPauseMs)
    })
  }

  return {
    admit: (hash, address) =>
      new Promise((resolve, reject) => {
        waiting.push({ hash, address, resolve, reject })
        wake()
      }),
    close: async () => {
      await running
      clearTimeout(timer)
      if (freed.size > 0) await flush()
      clearTimeout(timer)
    },
  }
}

/** What is left of a subject's count and slots while they are dealt out, last request first. */
type Share = { requestsCounted: number; slotsToRefuse: number }

function admittedOf(row: Row, shares: Map<string, Share>, windowStart: number, leaveOnce: (subject: string) => () => void): Admitted {
  const key = row.keyId ? (row as Row & FoundKey) : undefined
  const share = shares.get(row.subject) ?? { requestsCounted: row.requestsCounted, slotsToRefuse: row.slotsAsked - row.slotsGranted }
  const slotGranted = key !== undefined && share.slotsToRefuse === 0
  shares.set(row.subject, {
    requestsCounted: share.requestsCounted - 1,
    slotsToRefuse: slotGranted || key === undefined ? share.slotsToRefuse : share.slotsToRefuse - 1,
  })
  return {
    key,
    requestsCounted: share.requestsCounted,
    slotGranted,
    slotsUsed: row.slotsUsed,
    windowEndsAt: (windowStart + 1) * 60,
    leave: slotGranted ? leaveOnce(row.subject) : () => undefined,
  }
}
