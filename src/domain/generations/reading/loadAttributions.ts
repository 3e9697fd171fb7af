import type { GenerationSource } from '../../../entities/Generation.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Fields that are not in the public shape of a generation: owner, person, key and price. */
export type GenerationAttribution = {
  id: string
  ownerId: string
  userId: string | null
  keyId: string | null
  source: GenerationSource
  price: Hundredths
}

const read = statement<GenerationAttribution>(
  'generation_origins',
  `select g.id, g.owner_id, g.user_id, g.key_id, g.source, g.price
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)

/** The attributions of existing generations, in any order. */
export function loadAttributions({ sql }: Context, ids: readonly string[]): Promise<GenerationAttribution[]> {
  return sql.all(read, [ids])
}
