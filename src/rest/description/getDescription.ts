import { z } from 'zod'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

/** `describe` gives the OpenAPI document, which is made of the table that this endpoint itself stands in. */
export function getDescription(describe: () => unknown) {
  return endpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Description',
    summary: 'This description',
    description: 'The OpenAPI 3.1 description of this interface, made from the schemas that check the requests.',
    scope: 'catalog:read',
    query: noQuery,
    success: { status: 200, description: 'An OpenAPI document.', schema: z.record(z.string(), z.unknown()) },
    refusals: [],
    source: { kind: 'own', result: () => describe() as Record<string, unknown> },
  })
}
