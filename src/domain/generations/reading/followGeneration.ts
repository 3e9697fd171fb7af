import { type ChangeNotice, type ChangeWatch, watchChanges } from '../../../concurrency/changeWatch.ts'
import { makeSharedInterval } from '../../../concurrency/sharedInterval.ts'
import { limits } from '../../../contract/limits.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Generation } from '../../../entities/Generation.ts'
import { keyIsStillValid } from '../../access/keys/revalidateKey.ts'
import type { Spender } from '../../access/spender.ts'
import { mayStillAccessOwner } from '../../access/teams/rolesOf.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readForResponse, readGeneration } from './readGeneration.ts'

/** The fields that change until and with the end. */
type LiveStatus = Pick<Generation, 'id' | 'state' | 'progress' | 'queuePosition' | 'fallbackModelId'>

const readStatuses = statement<LiveStatus>(
  'read_standings',
  `select g.id, g.state, g.progress, g.queue_position, g.fallback_model_id
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)

/** Much smaller than a generation, for checks without a notice of a change. */
const loadStatus = batchLoader<string, LiveStatus>(async (sql, ids) => {
  const found = new Map((await sql.all(readStatuses, [[...new Set(ids)]])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/** Regular checks of all followers, in batches: they find lost notices and revoked keys. */
export const followerChecks = makeSharedInterval({ everyMs: 5000, atOnce: 500, pauseMs: 50 })

export type FollowOptions = {
  spender: Pick<Spender, 'ownerId' | 'keyId'>
  id: string
  /** Ends the stream. */
  signal: AbortSignal
  /** The longest duration. Default ten minutes. */
  seconds?: number
}

/**
 * Yields the generation in its public shape now and at each change of state, progress or queue position, until it has ended, `signal`
 * aborts, or the time is over. A slow reader gets the latest state, not every state. The stream ends within seconds after the key is no
 * longer valid, or the person has left the team. Between changes it holds only two subscriptions.
 * Refusals, before the first state: generation_not_found. Contract: docs/contract.md#follow-a-generation.
 */
export async function followGeneration(context: Context, following: FollowOptions): Promise<AsyncGenerator<PublicGeneration, void>> {
  const first = await readForResponse(context, following.spender.ownerId, following.id)
  return statesSince(context, first, following)
}

/** Reads again after the subscription, since the first read may be older. */
async function* statesSince(context: Context, first: Generation, following: FollowOptions): AsyncGenerator<PublicGeneration, void> {
  const watch = watchGeneration(context, following)
  try {
    let last = first
    yield presentGeneration(context, last, linkHolderOf(context.actor))
    while (last.finishedAt === null) {
      const next = await nextChange(context, { last, following, watch })
      if (next === undefined) return
      last = next
      yield presentGeneration(context, last, linkHolderOf(context.actor))
    }
  } finally {
    watch.stop()
  }
}

function watchGeneration({ notices }: Context, { id, signal, seconds = limits.eventStreamSecondsMax }: FollowOptions): ChangeWatch {
  return watchChanges({
    signal,
    seconds,
    subscribe(stir) {
      const onNotice = (what: 'notice' | 'reconnected') => stir(what === 'notice' ? 'changed' : 'unsure')
      const ends = [
        notices.subscribe('generation', id, onNotice),
        notices.subscribe('progress', id, onNotice),
        followerChecks.join(() => stir('unsure')),
      ]
      stir('unsure')
      return () => ends.forEach((end) => end())
    },
  })
}

type Position = { last: Generation; following: FollowOptions; watch: ChangeWatch }

/** Waits for a state that differs from the last one; `undefined` at the end of the stream. */
async function nextChange(context: Context, { last, following, watch }: Position): Promise<Generation | undefined> {
  for (let why = await watch.next(); why !== undefined; why = await watch.next()) {
    try {
      const [isAuthorized, changed] = await Promise.all([isStillAuthorized(context, following), readIfChanged(context, last, why)])
      if (!isAuthorized) return undefined
      if (changed) return changed
    } catch (error) {
      // During an outage of the database, nothing is yielded. The next regular check reads again.
      if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
    }
  }
  return undefined
}

async function readIfChanged(context: Context, last: Generation, why: ChangeNotice): Promise<Generation | undefined> {
  if (why === 'unsure') {
    const status = await loadStatus(context, last.id)
    if (status && isSame(status, last)) return undefined
  }
  const now = await readGeneration(context, last.ownerId, last.id)
  return isSame(now, last) ? undefined : now
}

function isSame(one: LiveStatus, other: LiveStatus): boolean {
  return (
    one.state === other.state &&
    one.progress === other.progress &&
    one.queuePosition === other.queuePosition &&
    one.fallbackModelId === other.fallbackModelId
  )
}

async function isStillAuthorized(context: Context, { spender }: FollowOptions): Promise<boolean> {
  if (spender.keyId !== null && !(await keyIsStillValid(context, spender.keyId))) return false
  return await mayStillAccessOwner(context, spender.ownerId)
}
