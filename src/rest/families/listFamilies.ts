import { family } from '../../contract/shapes/family.ts'
import { familiesQuery, listOf } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { withEtag } from '../etag.ts'
import { familyListExamples } from './familyExamples.ts'

export const listFamilies = endpoint({
  method: 'GET',
  path: '/families',
  operationId: 'listFamilies',
  tag: 'Catalog',
  summary: 'List the model families',
  description:
    'All families, or the families with a task or an output type. Families that you cannot use are listed with `available: false`.',
  scope: 'catalog:read',
  query: familiesQuery,
  headers: {
    'If-None-Match': { description: 'An earlier `ETag`: the response is 304 when nothing has changed.', schema: { type: 'string' } },
  },
  success: {
    status: 200,
    description: 'The families.',
    schema: listOf(family, 'FamilyList'),
    examples: familyListExamples,
    headers: { ETag: 'Changes when the list changes.' },
  },
  refusals: [],
  source: {
    kind: 'query',
    name: 'families',
    variables: ({ query }) => query,
  },
  answer: (list, { header }) => withEtag(list, header('if-none-match')),
})
