import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { generationColumns } from './generationColumns.ts'

/** One partition is looked at for each identifier, by its index; compared with the whole array all would be, and a join might read all of one. */
const byIds = statement<Generation>(
  'read_generations',
  `select ${columnsOf(Generation, 'g')} from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)
const byId = statement<Generation>('read_generation_by_id', `select ${generationColumns} from generations where id = $1`)

/** Those of all requests of a process that arrive together are read together. */
const lookUp = batchLoader<string, Generation>(async (sql, ids) => {
  const found = new Map((await sql.all(byIds, [ids])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/**
 * The generation of that owner, read outside any transaction. Refusals: generation_not_found, also for another owner's and for anything
 * that is no identifier.
 */
export async function readGeneration(context: Context, ownerId: string, id: string): Promise<Generation> {
  return ownedBy(ownerId, isId('gen', id) ? await lookUp(context, id) : undefined)
}

/**
 * As {@link readGeneration}, with what was read when the request was admitted, if that was about this one: right for an answer at once,
 * too old for whoever has waited. Refusals: generation_not_found.
 */
export async function readForResponse(context: Context, ownerId: string, id: string): Promise<Generation> {
  const { preloadedGeneration } = context
  return preloadedGeneration?.id === id ? ownedBy(ownerId, preloadedGeneration.generation) : await readGeneration(context, ownerId, id)
}

function ownedBy(ownerId: string, generation: Generation | undefined): Generation {
  if (generation?.ownerId !== ownerId) throw new Refusal('generation_not_found')
  return generation
}

/** The generation whoever owns it, for our own jobs and internal tools; `undefined` when there is none. */
export async function findGeneration(context: Context, id: string): Promise<Generation | undefined> {
  return isId('gen', id) ? await context.sql.one(byId, [id]) : undefined
}
