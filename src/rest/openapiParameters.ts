import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { Endpoint } from './endpoint.ts'

type ParameterObject = { name: string; in: 'path' | 'header'; required: boolean; description: string; schema: unknown }

/** Path, query and header parameters of an endpoint; the query is described by the schema that reads it. */
export function parametersOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'parameters' | 'requestParams'> {
  const path = Object.entries(endpoint.parameters ?? {}).map(
    ([name, description]): ParameterObject => ({ name, in: 'path', required: true, description, schema: { type: 'string' } }),
  )
  const headers = Object.entries(endpoint.headers ?? {}).map(
    ([name, { description, schema }]): ParameterObject => ({ name, in: 'header', required: false, description, schema }),
  )
  const parameters = [...path, ...headers] as NonNullable<ZodOpenApiOperationObject['parameters']>
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.query instanceof z.ZodObject && Object.keys(endpoint.query.shape).length > 0
      ? { requestParams: { query: endpoint.query } }
      : {}),
  }
}
