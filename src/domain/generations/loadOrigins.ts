import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** What the public shape of a generation does not tell: whose history it stands in, who started it with which key, and at what price. */
export type GenerationOrigin = { id: string; ownerId: string; userId: string | null; keyId: string | null; price: Hundredths }

const read = statement<GenerationOrigin>(
  'generation_origins',
  'select id, owner_id, user_id, key_id, price from generations where id = any($1)',
)

/** Those of the generations that exist, in any order. */
export function loadOrigins({ sql }: Context, ids: readonly string[]): Promise<GenerationOrigin[]> {
  return sql.all(read, [ids])
}
