import { refusalsOf } from '../../contract/refusals/orderOfChecks.ts'
import type { RefusalCode } from '../../contract/refusals/refusals.ts'
import { estimate } from '../../contract/shapes/estimate.ts'
import { generationRequest } from '../../contract/shapes/generationRequest.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { estimateExamples } from './generationExamples.ts'
import { requestExamples } from './requestExamples.ts'

/** The refusals of a start or estimate before the checks of credits. */
export const planRefusals: readonly RefusalCode[] = [...refusalsOf('content type and size'), ...refusalsOf('family', 'price')]

export const estimateGeneration = endpoint({
  method: 'POST',
  path: '/generations/estimate',
  operationId: 'estimateGeneration',
  tag: 'Generations',
  summary: 'Estimate the cost',
  description:
    'Returns the exact price of a start with this body, the variant, and whether it could start now. Creates and charges nothing.',
  scope: 'generations:read',
  query: noQuery,
  body: { schema: generationRequest, examples: requestExamples },
  success: { status: 200, description: 'The estimate.', schema: estimate, examples: estimateExamples },
  refusals: planRefusals,
  source: {
    kind: 'query',
    name: 'estimate',
    variables: ({ body }) => ({ input: body }),
  },
})
