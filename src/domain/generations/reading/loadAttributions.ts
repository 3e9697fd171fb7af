import type { GenerationSource } from '../../../entities/Generation.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { storeHours } from '../steps/recordOutputs.ts'

/**
 * Fields that are not in the public shape of a generation: owner, person, key, price, and when finalizing began. `finalizingAt` is null
 * until then, and for work that ended without it.
 */
export type GenerationAttribution = {
  id: string
  ownerId: string
  userId: string | null
  keyId: string | null
  source: GenerationSource
  price: Hundredths
  finalizingAt: Date | null
}

/** `recordOutputs` sets `deadline_at` to `storeHours` after finalizing began. An earlier deadline minus `storeHours` is before `started_at`. */
const read = statement<GenerationAttribution>(
  'generation_origins',
  `select g.id, g.owner_id, g.user_id, g.key_id, g.source, g.price,
       case when g.state in ('finalizing', 'ready', 'failed')
         and g.deadline_at - $2 * interval '1 hour' between g.started_at and coalesce(g.finished_at, 'infinity')
         then g.deadline_at - $2 * interval '1 hour' end as finalizing_at
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id offset 0) g`,
)

/** The attributions of existing generations, in any order. */
export function loadAttributions({ sql }: Context, ids: readonly string[]): Promise<GenerationAttribution[]> {
  return sql.all(read, [ids, storeHours])
}
