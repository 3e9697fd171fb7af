import { estimate } from '../../contract/estimate.ts'
import { generationRequest } from '../../contract/generationRequest.ts'
import { noQuery } from '../../contract/queries.ts'
import { endpoint } from '../endpoint.ts'
import { estimateExamples } from './generationExamples.ts'
import { planRefusals } from './refusals.ts'
import { requestExamples } from './requestExamples.ts'

export const estimateGeneration = endpoint({
  method: 'POST',
  path: '/generations/estimate',
  operationId: 'estimateGeneration',
  tag: 'Generations',
  summary: 'Estimate the cost',
  description:
    'Takes the very body of a start and tells its exact cost, the variant that would run, and whether it could start now. Nothing is created or spent.',
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
