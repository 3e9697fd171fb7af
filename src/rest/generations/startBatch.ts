import { refusalsOf } from '../../contract/refusals/orderOfChecks.ts'
import { batchRequest, startedBatch } from '../../contract/shapes/batch.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { batchExamples } from './generationExamples.ts'
import { batchRequestExamples } from './requestExamples.ts'
import { idempotencyKeyHeader, idempotencyKeyOf } from './startGeneration.ts'

export const startBatch = endpoint({
  method: 'POST',
  path: '/generations/batch',
  operationId: 'startBatch',
  tag: 'Generations',
  summary: 'Start several generations',
  description:
    'Starts each item as `POST /generations` would, and answers each in its place, with its own status. An item that is refused does not stop the others; only a faulty envelope refuses the whole. Each item counts as one request towards the rate; items beyond it get `rate_limited`. With an `Idempotency-Key` a repeat starts only what was not started.',
  scope: 'generations:write',
  query: noQuery,
  body: { schema: batchRequest, examples: batchRequestExamples },
  headers: idempotencyKeyHeader,
  success: { status: 200, description: 'The answer to each item, in order.', schema: startedBatch, examples: batchExamples },
  refusals: refusalsOf('content type and size'),
  source: {
    kind: 'mutation',
    name: 'startBatch',
    variables: (call) => ({ ...call.body, idempotencyKey: idempotencyKeyOf(call) }),
  },
})
