import { limits } from '../../contract/limits.ts'
import { refusalsOf } from '../../contract/refusals/orderOfChecks.ts'
import { type Issue, invalidRequest } from '../../contract/refusals/refusals.ts'
import { generationRequest } from '../../contract/shapes/generationRequest.ts'
import { waitQuery } from '../../contract/shapes/queries.ts'
import { startedGeneration } from '../../contract/shapes/startedGeneration.ts'
import { type Call, endpoint } from '../endpoint.ts'
import { planRefusals } from './estimateGeneration.ts'
import { startExamples } from './generationExamples.ts'
import { requestExamples } from './requestExamples.ts'

/** The header of a start and of a batch. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': {
    description: `A unique key for one start or batch, kept for ${limits.idempotencyHours} hours.`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters, pattern: '^[ -~]+$' },
  },
}

export const startGeneration = endpoint({
  method: 'POST',
  path: '/generations',
  operationId: 'startGeneration',
  tag: 'Generations',
  summary: 'Start a generation',
  description:
    'Holds the exact price and queues the generation. With an `Idempotency-Key`, a repeat of the same body returns the first response and starts nothing. Without a key, a repeat after a lost response may start, and cost, a second time. With `wait` the response, also of a repeat, is delayed until the generation ends or the time is over, and has the state at that time.',
  scope: 'generations:write',
  query: waitQuery,
  body: { schema: generationRequest, examples: requestExamples },
  headers: idempotencyKeyHeader,
  success: {
    status: 201,
    description: 'The generation is started and its credits are held.',
    schema: startedGeneration,
    examples: startExamples,
    headers: { Location: 'The URL of the generation.' },
  },
  refusals: [...planRefusals, ...refusalsOf('idempotency'), ...refusalsOf('maxCredits', 'open work'), 'queue_unavailable'],
  source: {
    kind: 'mutation',
    name: 'startGeneration',
    variables: (call) => ({ input: call.body, idempotencyKey: idempotencyKeyOf(call), waitSeconds: call.query.wait ?? 0 }),
  },
  answer: (started) => ({
    status: 201,
    body: started,
    headers: { Location: `/api/v1/generations/${started.generationId}` },
  }),
})

const form = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`)

/**
 * The `Idempotency-Key` of a request, if it has one: 1 to 255 printable ASCII characters, once.
 * Refusals: invalid_request. Contract: docs/contract.md#idempotency.
 */
export function idempotencyKeyOf(call: Pick<Call, 'header' | 'headerCount'>): string | undefined {
  const value = call.header('idempotency-key')
  if (value === undefined) return undefined
  const place: Pick<Issue, 'in' | 'path'> = { in: 'header', path: ['Idempotency-Key'] }
  if (call.headerCount('idempotency-key') > 1)
    throw invalidRequest({ ...place, code: 'conflict', message: 'The request may have only one Idempotency-Key.' })
  if (!form.test(value)) {
    const message = `Idempotency-Key takes 1 to ${limits.idempotencyKeyCharacters} printable ASCII characters.`
    throw invalidRequest({ ...place, code: value.length > limits.idempotencyKeyCharacters ? 'too_long' : 'bad_format', message })
  }
  return value
}
