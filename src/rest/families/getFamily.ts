import { familyNotFound } from '../../contract/refusals/familyNotFound.ts'
import { family } from '../../contract/shapes/family.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { withEtag } from '../etag.ts'
import { familyExamples } from './familyExamples.ts'

export const getFamily = endpoint({
  method: 'GET',
  path: '/families/{id}',
  operationId: 'getFamily',
  tag: 'Catalog',
  summary: 'Get one family',
  description: 'A family with its variants, prices, inputs, axes, and the JSON Schema of its parameters.',
  scope: 'catalog:read',
  query: noQuery,
  headers: {
    'If-None-Match': { description: 'An earlier `ETag`: the response is 304 when nothing has changed.', schema: { type: 'string' } },
  },
  parameters: { id: 'The identifier of the family.' },
  success: {
    status: 200,
    description: 'The family.',
    schema: family,
    examples: familyExamples,
    headers: { ETag: 'Changes when the family changes.' },
  },
  refusals: ['family_not_found'],
  source: {
    kind: 'query',
    name: 'family',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
    orRefuse: ({ parameters, context }) => familyNotFound(parameters['id'] ?? '', context.catalog.families.keys()),
  },
  answer: (found, { header }) => withEtag(found, header('if-none-match')),
})
