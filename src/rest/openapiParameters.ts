import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { Endpoint } from './endpoint.ts'

type ParameterObject = { name: string; in: 'path' | 'header'; required: boolean; description: string; schema: unknown }

/** The path, query and header parameters of an endpoint: the query as the schema that validates it, the others as references. */
export function parametersOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'parameters' | 'requestParams'> {
  const references = namedParameters(endpoint).map(([name]) => ({ $ref: `#/components/parameters/${name}` }))
  return {
    ...(references.length > 0 ? { parameters: references } : {}),
    ...(endpoint.query instanceof z.ZodObject && Object.keys(endpoint.query.shape).length > 0
      ? { requestParams: { query: endpoint.query } }
      : {}),
  }
}

/**
 * The path and header parameters of all endpoints, by component name: `GenerationId` for the `id` below `/generations`. Throws when two
 * endpoints describe the same parameter differently.
 */
export function parameterComponents(endpoints: Endpoint[]): Record<string, ParameterObject> {
  const components: Record<string, ParameterObject> = {}
  for (const [name, parameter] of endpoints.flatMap(namedParameters)) {
    const known = (components[name] ??= parameter)
    if (JSON.stringify(known) !== JSON.stringify(parameter)) throw new Error(`Two endpoints describe the parameter ${name} differently.`)
  }
  return components
}

function namedParameters({ path, parameters = {}, headers = {} }: Endpoint): [string, ParameterObject][] {
  return [
    ...Object.entries(parameters).map(([name, description]): [string, ParameterObject] => [
      `${ownerOf(path)}${capital(name)}`,
      { name, in: 'path', required: true, description, schema: { type: 'string' } },
    ]),
    ...Object.entries(headers).map(([name, { description, schema }]): [string, ParameterObject] => [
      name.replaceAll('-', ''),
      { name, in: 'header', required: false, description, schema },
    ]),
  ]
}

/** `Family` for `/families/{id}`. */
function ownerOf(path: string): string {
  const [, collection = ''] = path.split('/')
  // Events have a header `webhook-id`, whose component is WebhookId.
  if (collection === 'webhooks') return 'Subscription'
  return capital(collection.replace(/ies$/, 'y').replace(/s$/, ''))
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
