import { type ChangeWatch, type Stir, watchChanges } from '../../concurrency/changeWatch.ts'
import { makeRounds } from '../../concurrency/rounds.ts'
import type { PublicGeneration } from '../../contract/generation.ts'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Generation } from '../../entities/Generation.ts'
import { stillStands } from '../access/requireStillStanding.ts'
import { isStillTheirs } from '../access/rolesOf.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { sharedLookup } from '../sharedLookup.ts'
import { statement } from '../sql.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readForAnswer, readGeneration } from './readGeneration.ts'
import { holderFor } from './resultToken.ts'

/** What changes while it goes on, and its end with it. */
type Standing = Pick<Generation, 'id' | 'state' | 'progress' | 'queuePosition' | 'fallbackModelId'>

const standings = statement<Standing>(
  'read_standings',
  `select g.id, g.state, g.progress, g.queue_position, g.fallback_model_id
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)

/** Much less than a whole generation, for those who look without knowing of a change. */
const standingOf = sharedLookup<string, Standing>(async (sql, ids) => {
  const found = new Map((await sql.all(standings, [[...new Set(ids)]])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/** When notices are lost, and when a key dies, all who follow look for themselves, a part of them at a time. */
const rounds = makeRounds({ everyMs: 5000, atOnce: 500, pauseMs: 50 })

export type Following = {
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
export async function followGeneration(context: Context, following: Following): Promise<AsyncGenerator<PublicGeneration, void>> {
  const first = await readForAnswer(context, following.spender.ownerId, following.id)
  return statesSince(context, first, following)
}

/** What is read first may be older than the subscription, so that it is read once more. */
async function* statesSince(context: Context, first: Generation, following: Following): AsyncGenerator<PublicGeneration, void> {
  const watch = watchGeneration(context, following)
  try {
    let told = first
    yield presentGeneration(context, told, holderFor(context.actor))
    while (told.finishedAt === null) {
      const news = await newsOf(context, { told, following, watch })
      if (news === undefined) return
      told = news
      yield presentGeneration(context, told, holderFor(context.actor))
    }
  } finally {
    watch.stop()
  }
}

function watchGeneration({ notices }: Context, { id, signal, seconds = limits.eventStreamSecondsMax }: Following): ChangeWatch {
  return watchChanges({
    signal,
    seconds,
    subscribe(stir) {
      const hear = (what: 'notice' | 'reconnected') => stir(what === 'notice' ? 'changed' : 'unsure')
      const ends = [notices.subscribe('generation', id, hear), notices.subscribe('progress', id, hear), rounds.join(() => stir('unsure'))]
      stir('unsure')
      return () => ends.forEach((end) => end())
    },
  })
}

type Told = { told: Generation; following: Following; watch: ChangeWatch }

/** Waits for a state that differs from what was told; `undefined` when nothing more is to be told. */
async function newsOf(context: Context, { told, following, watch }: Told): Promise<Generation | undefined> {
  for (let why = await watch.next(); why !== undefined; why = await watch.next()) {
    try {
      const [stands, news] = await Promise.all([mayHear(context, following), newStateOf(context, told, why)])
      if (!stands) return undefined
      if (news) return news
    } catch (error) {
      // While the database is away nothing is known, and nothing told; the next round looks again.
      if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
    }
  }
  return undefined
}

async function newStateOf(context: Context, told: Generation, why: Stir): Promise<Generation | undefined> {
  if (why === 'unsure') {
    const standing = await standingOf(context, told.id)
    if (standing && isSame(standing, told)) return undefined
  }
  const now = await readGeneration(context, told.ownerId, told.id)
  return isSame(now, told) ? undefined : now
}

function isSame(one: Standing, other: Standing): boolean {
  return (
    one.state === other.state &&
    one.progress === other.progress &&
    one.queuePosition === other.queuePosition &&
    one.fallbackModelId === other.fallbackModelId
  )
}

async function mayHear(context: Context, { spender }: Following): Promise<boolean> {
  if (spender.keyId !== null && !(await stillStands(context, spender.keyId))) return false
  return await isStillTheirs(context, spender.ownerId)
}
