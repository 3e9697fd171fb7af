import { Refusal } from '../../contract/refusals.ts'
import type { GenerationOutputType, GenerationResult } from '../../entities/Generation.ts'
import type { Services } from '../context.ts'
import { sharedLookup } from '../sharedLookup.ts'
import { statement } from '../sql.ts'
import { idOf, openResultToken, type ResultGrant } from './resultToken.ts'

/** What a result link delivers. */
export type LinkedResult = {
  generationId: string
  outputType: GenerationOutputType
  result: Extract<GenerationResult, { storageKey: string }>
}

type Row = { position: number; result: GenerationResult; outputType: GenerationOutputType }

/** Those that an internal tool holds depend on nothing but their age and the team. */
const linked = statement<Row>(
  'linked_results',
  `select asked.position::integer, g.result, g.output_type
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked (id, kind, holder, position)
       join generations g on g.id = asked.id and g.state = 'ready'
       left join teams t on t.id = g.owner_id
       left join api_keys k on asked.kind = 'key' and k.id = asked.holder and key_lives(k.revoked_at, k.expires_at)
       left join webhook_subscriptions s on asked.kind = 'subscription' and s.id = asked.holder and s.deleted_at is null
       left join memberships m on asked.kind = 'person' and m.team_id = g.owner_id and m.user_id = asked.holder
     where (t.id is null or (not t.blocked and t.external_access))
       and (k.id is not null or s.id is not null or m.user_id is not null or (asked.kind = 'person' and g.owner_id = asked.holder)
         or asked.kind = 'service')`,
)

const lookUp = sharedLookup<ResultGrant, Row>(async (sql, grants) => {
  const columns = [grants.map((each) => each.generationId), grants.map((each) => each.holder.kind), grants.map((each) => idOf(each.holder))]
  const byPosition = new Map((await sql.all(linked, columns)).map((row) => [row.position, row]))
  return grants.map((_, index) => byPosition.get(index + 1))
})

/**
 * The result behind a link, as long as the link lives, and so do the key or subscription that holds it and the team's access; for a person
 * as long as they are in the team, or it is their own.
 * Refusals: not_found, the same for altered, expired, revoked and unknown ones. Spec: Result; Authentication, rule 8.
 * Contract: section 3, result links.
 */
export async function openResult(services: Services, token: string): Promise<LinkedResult> {
  const grant = openResultToken(services.ring, services.clock, token)
  const row = grant && (await lookUp(services, grant))
  if (!grant || !row || !('storageKey' in row.result)) throw new Refusal('not_found')
  return { generationId: grant.generationId, outputType: row.outputType, result: row.result }
}
