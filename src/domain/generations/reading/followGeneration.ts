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

/** What changes while it goes on, and its end with it. */
type LiveStatus = Pick<Generation, 'id' | 'state' | 'progress' | 'queuePosition' | 'fallbackModelId'>

const readStatuses = statement<LiveStatus>(
  'read_standings',
  `select g.id, g.state, g.progress, g.queue_position, g.fallback_model_id
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)

/** Much less than a whole generation, for those who look without knowing of a change. */
const loadStatus = batchLoader<string, LiveStatus>(async (sql, ids) => {
  const found = new Map((await sql.all(readStatuses, [[...new Set(ids)]])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/** When notices are lost, and when a key dies, all who follow look for themselves, a part of them at a time. */
const rounds = makeSharedInterval({ everyMs: 5000, atOnce: 500, pauseMs: 50 })

export type FollowOptions = {
  spender: Pick<Spender, 'ownerId' | 'keyId'>
  id: string
  /** Ends it. */
  signal: AbortSignal
  /** At most; ten minutes unless told otherwise. */
  seconds?: number
}

/**
 * The generation in its public shape: as it stands, and then at each change of its state, its progress or its place in a queue, until
 * it has ended, `signal` aborts or the time has passed. Whoever is slow gets the latest state, not each. It is over within seconds when
 * the key would not be let in any more or the person has left the team; then nothing more is told.
 * Nothing but two subscriptions is held between the changes.
 * Refusals, before the first state: generation_not_found. Contract: docs/contract.md#follow-a-generation.
 */
export async function followGeneration(context: Context, following: FollowOptions): Promise<AsyncGenerator<PublicGeneration, void>> {
  const first = await readForResponse(context, following.spender.ownerId, following.id)
  return statesSince(context, first, following)
}

/** What is read first may be older than the subscription, so that it is read once more. */
async function* statesSince(context: Context, first: Generation, following: FollowOptions): AsyncGenerator<PublicGeneration, void> {
  const watch = watchGeneration(context, following)
  try {
    let told = first
    yield presentGeneration(context, told, linkHolderOf(context.actor))
    while (told.finishedAt === null) {
      const news = await nextChange(context, { told, following, watch })
      if (news === undefined) return
      told = news
      yield presentGeneration(context, told, linkHolderOf(context.actor))
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
        rounds.join(() => stir('unsure')),
      ]
      stir('unsure')
      return () => ends.forEach((end) => end())
    },
  })
}

type Told = { told: Generation; following: FollowOptions; watch: ChangeWatch }

/** Waits for a state that differs from what was told; `undefined` when nothing more is to be told. */
async function nextChange(context: Context, { told, following, watch }: Told): Promise<Generation | undefined> {
  for (let why = await watch.next(); why !== undefined; why = await watch.next()) {
    try {
      const [stands, news] = await Promise.all([isStillAuthorized(context, following), readIfChanged(context, told, why)])
      if (!stands) return undefined
      if (news) return news
    } catch (error) {
      // While the database is away nothing is known, and nothing told; the next round looks again.
      if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
    }
  }
  return undefined
}

async function readIfChanged(context: Context, told: Generation, why: ChangeNotice): Promise<Generation | undefined> {
  if (why === 'unsure') {
    const standing = await loadStatus(context, told.id)
    if (standing && isSame(standing, told)) return undefined
  }
  const now = await readGeneration(context, told.ownerId, told.id)
  return isSame(now, told) ? undefined : now
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
