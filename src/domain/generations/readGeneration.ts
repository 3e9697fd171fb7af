import type { Generation } from '../../entities/Generation.ts'
import type { Context } from '../context.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusals.ts'
import { statement } from '../sql.ts'

const byOwner = statement<GenerationRow>('read_generation', 'select * from generations where id = $1 and owner_id = $2')
const byId = statement<GenerationRow>('read_generation_by_id', 'select * from generations where id = $1')

/** A row as the driver gives it: columns in camelCase, big integers as text. */
export type GenerationRow = Omit<Generation, 'price' | 'creditsCharged'> & { price: string | number; creditsCharged: string | number | null }

export function generationOf(row: GenerationRow): Generation {
  return { ...row, price: Number(row.price), creditsCharged: row.creditsCharged === null ? null : Number(row.creditsCharged) }
}

/** The generation of that owner. Refusals: generation_not_found, also for another owner's and for anything that is no identifier. */
export async function readGeneration(context: Context, ownerId: string, id: string): Promise<Generation> {
  const row = isId('gen', id) ? await context.sql.one(byOwner, [id, ownerId]) : undefined
  if (!row) throw new Refusal('generation_not_found')
  return generationOf(row)
}

/** The generation whoever owns it, for our own jobs and internal tools; `undefined` when there is none. */
export async function findGeneration(context: Context, id: string): Promise<Generation | undefined> {
  const row = isId('gen', id) ? await context.sql.one(byId, [id]) : undefined
  return row && generationOf(row)
}
