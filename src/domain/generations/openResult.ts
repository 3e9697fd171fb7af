import { Refusal } from '../../contract/refusals.ts'
import type { GenerationOutputType, GenerationResult } from '../../entities/Generation.ts'
import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'
import { idOf, openResultToken } from './resultToken.ts'

/** What a result link delivers. */
export type LinkedResult = {
  generationId: string
  outputType: GenerationOutputType
  result: Extract<GenerationResult, { storageKey: string }>
}

type Row = { result: GenerationResult; outputType: GenerationOutputType }

/** Those that an internal tool holds depend on nothing but their age and the team. */
const linked = statement<Row>(
  'linked_result',
  `select g.result, g.output_type from generations g left join teams t on t.id = g.owner_id
     where g.id = $1 and g.state = 'ready' and (t.id is null or (not t.blocked and t.external_access)) and case $2
       when 'key' then exists (select from api_keys where id = $3 and revoked_at is null)
       when 'subscription' then exists (select from webhook_subscriptions where id = $3 and deleted_at is null)
       else true end`,
)

/**
 * The result behind a link, as long as the link lives and so do the key or subscription that holds it and the team's access.
 * Refusals: not_found, the same for altered, expired, revoked and unknown ones. Spec: Result; Authentication, rule 8.
 * Contract: section 3, result links.
 */
export async function openResult(services: Services, token: string): Promise<LinkedResult> {
  const grant = openResultToken(services.ring, services.clock, token)
  const row = grant && (await bindSql(services.pool).one(linked, [grant.generationId, grant.holder.kind, idOf(grant.holder)]))
  if (!grant || !row || !('storageKey' in row.result)) throw new Refusal('not_found')
  return { generationId: grant.generationId, outputType: row.outputType, result: row.result }
}
