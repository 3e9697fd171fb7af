import { Refusal } from '../../contract/refusals.ts'
import type { GenerationOutputType, GenerationResult } from '../../entities/Generation.ts'
import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'
import { openResultToken } from './resultToken.ts'

/** What a result link delivers. */
export type LinkedResult = {
  generationId: string
  outputType: GenerationOutputType
  result: Extract<GenerationResult, { storageKey: string }>
}

type Row = { result: GenerationResult; outputType: GenerationOutputType }

const linked = statement<Row>(
  'linked_result',
  `select result, output_type from generations where id = $1 and state = 'ready'
     and ($2::text is null or exists (select from api_keys where id = $2 and revoked_at is null))`,
)

/**
 * The result behind a link, as long as the link lives and so does the key that obtained it.
 * Refusals: not_found, the same for altered, expired, revoked and unknown ones. Spec: Result; Authentication, rule 8.
 */
export async function openResult(services: Services, token: string): Promise<LinkedResult> {
  const grant = openResultToken(services.ring, services.clock, token)
  const row = grant && (await bindSql(services.pool).one(linked, [grant.generationId, grant.keyId]))
  if (!grant || !row || !('storageKey' in row.result)) throw new Refusal('not_found')
  return { generationId: grant.generationId, outputType: row.outputType, result: row.result }
}
