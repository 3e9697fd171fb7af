import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type ParameterObject = { name: string; in: 'path' | 'query' | 'header'; required: boolean; description?: string; schema: unknown }

/** Path, query and header parameters of an endpoint; the query comes from the schema that reads it. */
export function parameterObjects(endpoint: Endpoint): ParameterObject[] {
  const path = Object.entries(endpoint.parameters ?? {}).map(
    ([name, description]): ParameterObject => ({ name, in: 'path', required: true, description, schema: { type: 'string' } }),
  )
  const headers = Object.entries(endpoint.headers ?? {}).map(
    ([name, { description, schema }]): ParameterObject => ({ name, in: 'header', required: false, description, schema }),
  )
  return [...path, ...queryObjects(endpoint), ...headers]
}

function queryObjects({ query }: Endpoint): ParameterObject[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, ...inline } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: applyOverride }) as Record<string, unknown>
    delete inline['$schema']
    return {
      name,
      in: 'query',
      required: !schema.safeParse(undefined).success,
      ...(typeof description === 'string' ? { description } : {}),
      schema: inline,
    }
  })
}

/** Our schemas say in `override` what a transform hides. */
function applyOverride({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void {
  const { override, ...meta } = (z.globalRegistry.get(zodSchema as z.ZodType) ?? {}) as { override?: object }
  if (!override) return
  for (const key of Object.keys(jsonSchema)) if (!(key in meta)) delete jsonSchema[key]
  delete jsonSchema['override']
  Object.assign(jsonSchema, override)
}
