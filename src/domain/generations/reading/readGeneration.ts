import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { generationColumns } from './generationColumns.ts'

/** Probes one partition per identifier by its index. A comparison with the array would probe all, and a join might scan a partition. */
const byIds = statement<Generation>(
  'read_generations',
  `select ${columnsOf(Generation, 'g')} from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)
const byId = statement<Generation>('read_generation_by_id', `select ${generationColumns} from generations where id = $1`)

/** Concurrent reads of a process share one statement. */
const lookUp = batchLoader<string, Generation>(async (sql, ids) => {
  const found = new Map((await sql.all(byIds, [ids])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/**
 * Reads a generation of an owner outside any transaction. Refusals: generation_not_found, also for another owner's generation and for an
 * invalid identifier.
 */
export async function readGeneration(context: Context, ownerId: string, id: string): Promise<Generation> {
  return ownedBy(ownerId, isId('gen', id) ? await lookUp(context, id) : undefined)
}

/**
 * Like {@link readGeneration}, but uses the row that the admission of this request has read, if there is one. For an immediate answer only:
 * after a wait the row is outdated. Refusals: generation_not_found.
 */
export async function readForResponse(context: Context, ownerId: string, id: string): Promise<Generation> {
  const { preloadedGeneration } = context
  return preloadedGeneration?.id === id ? ownedBy(ownerId, preloadedGeneration.generation) : await readGeneration(context, ownerId, id)
}

function ownedBy(ownerId: string, generation: Generation | undefined): Generation {
  if (generation?.ownerId !== ownerId) throw new Refusal('generation_not_found')
  return generation
}

/** Reads a generation of any owner, for jobs and internal tools. `undefined` when there is none. */
export async function findGeneration(context: Context, id: string): Promise<Generation | undefined> {
  return isId('gen', id) ? await context.sql.one(byId, [id]) : undefined
}
