import { z } from 'zod'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

/** `describe` returns the OpenAPI document, which includes this endpoint. */
export function getDescription(describe: () => unknown) {
  return endpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Description',
    summary: 'Get the OpenAPI document',
    description: 'The OpenAPI 3.1 document of this interface, generated from the schemas that validate requests.',
    scope: 'catalog:read',
    query: noQuery,
    success: { status: 200, description: 'An OpenAPI document.', schema: z.record(z.string(), z.unknown()) },
    refusals: [],
    source: { kind: 'own', result: () => describe() as Record<string, unknown> },
  })
}
