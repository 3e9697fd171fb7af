import type { GenerationOutputType, GenerationResult } from '../../../entities/Generation.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Services } from '../../context.ts'
import { statement } from '../../sql.ts'
import { holderIdOf, type ResultGrant } from './resultLink.ts'

/** A result that is an object in the storage. */
export type StoredResult = Extract<GenerationResult, { storageKey: string }>

/** The result behind a link. */
export type LinkedResult = { generationId: string; ownerId: string; outputType: GenerationOutputType; result: StoredResult }

type LinkGrant = Pick<ResultGrant, 'generationId' | 'holder'>
type Row = { position: number; ownerId: string; result: GenerationResult; outputType: GenerationOutputType }

const linked = statement<Row>(
  'linked_results',
  `select asked.position::integer, g.owner_id, g.result, g.output_type
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked (id, kind, holder, position)
       join generations g on g.id = asked.id and g.state = 'ready'
       left join teams t on t.id = g.owner_id
       left join users u on u.id = g.owner_id
       left join key_standing() k on asked.kind = 'key' and k.key_id = asked.holder and k.is_live
       left join webhook_subscriptions s on asked.kind = 'subscription' and s.id = asked.holder and s.deleted_at is null
       left join memberships m on asked.kind = 'person' and m.team_id = g.owner_id and m.user_id = asked.holder
     where (t.id is null or (not t.blocked and t.external_access)) and u.deleted_at is null
       and (k.issuer_may_act or s.id is not null or m.user_id is not null or (asked.kind = 'person' and g.owner_id = asked.holder)
         or asked.kind = 'service')`,
)

const lookUp = batchLoader<LinkGrant, Row>(async (sql, held) => {
  const columns = [held.map((each) => each.generationId), held.map((each) => each.holder.kind), held.map((each) => holderIdOf(each.holder))]
  const byPosition = new Map((await sql.all(linked, columns)).map((row) => [row.position, row]))
  return held.map((_, index) => byPosition.get(index + 1))
})

/**
 * The stored result behind a link of this holder, while the team has access and the holder is valid:
 * - a key is live, and its issuer may act for the team;
 * - a subscription exists;
 * - a person is in the team, or the result is their own. Deleting a person revokes all links to their results;
 * - an internal tool: always, until the link expires or the owner is deleted.
 * The caller verifies that the holder received the link, by a token or by the history.
 * Contract: docs/contract.md#life-of-a-result-link.
 */
export async function findLinkedResult(services: Pick<Services, 'pool'>, holding: LinkGrant): Promise<LinkedResult | undefined> {
  const row = await lookUp(services, holding)
  if (!row || !('storageKey' in row.result)) return undefined
  return { generationId: holding.generationId, ownerId: row.ownerId, outputType: row.outputType, result: row.result }
}
