import { isId } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** The identifiers of the generations before and after one in the history of its owner; null at its ends. */
export type GenerationNeighbours = { newerId: string | null; olderId: string | null }

const read = statement<GenerationNeighbours>(
  'generation_neighbours',
  `select (select id from generations where owner_id = $1 and id > $2 order by id limit 1) as newer_id,
       (select id from generations where owner_id = $1 and id < $2 order by id desc limit 1) as older_id`,
)

const none: GenerationNeighbours = { newerId: null, olderId: null }

/** Finds the neighbours of a generation in the whole history of an owner. */
export async function generationNeighbours({ sql }: Pick<Context, 'sql'>, ownerId: string, id: string): Promise<GenerationNeighbours> {
  return isId('gen', id) ? ((await sql.one(read, [ownerId, id])) ?? none) : none
}
