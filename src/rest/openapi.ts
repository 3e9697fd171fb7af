import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { docUrlsAt } from '../contract/docUrl.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { simplifyJsonSchema } from '../contract/shapes/simplifyJsonSchema.ts'
import { commonRefusals, type Endpoint, type Example, successTypeOf } from './endpoint.ts'
import { headerComponents, responseHeaders } from './openapiHeaders.ts'
import { parameterComponents, parametersOf } from './openapiParameters.ts'
import { refusalCodeTable, refusalExamples, refusalResponses, sharedRefusalResponses } from './openapiRefusals.ts'
import { webhookObjects, webhookParameters } from './openapiWebhooks.ts'

/**
 * The OpenAPI 3.1 document of the public interface, generated from the schemas that validate requests.
 * Contract: docs/contract.md#get-the-description.
 */
export function describe(endpoints: Endpoint[], options: { publicUrl: string; version: string }): unknown {
  const shared = sharedExamples(endpoints)
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint, shared) }
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Atelier',
      version: options.version,
      summary: 'Model generations over HTTP, paid in credits.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${options.publicUrl}/api/v1`, description: 'This service' }],
    security: [{ key: [] }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookObjects(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `atl_…`. Each operation lists its required scope.' },
      },
      headers: headerComponents,
      parameters: { ...parameterComponents(endpoints), ...webhookParameters },
      responses: { ...notModified, ...sharedRefusalResponses(endpoints.map(codesOf)) },
      examples: {
        ...refusalExamples(endpoints.flatMap(codesOf), docUrlsAt(options.publicUrl)),
        ...Object.fromEntries([...shared].map(([example, name]) => [name, example])),
      },
    },
    'x-refusal-codes': refusalCodeTable(),
  }
  const made = createDocument(document as unknown as Parameters<typeof createDocument>[0], {
    // Custom schemas describe themselves in `override`; the library also expects that of their wrappers.
    allowEmptySchema: { custom: true, optional: true },
    override: simplifyJsonSchema,
  })
  return stripRefSiblings(made)
}

const introduction = `Runs model generations (images, video, audio, 3D) from a catalog of families, paid from the credits of a team.

**Usual steps**: read the catalog, upload input files, estimate or start a generation, wait for its end, download its result from the link.

**Refusals** have one shape, with a \`code\` to program against and \`retryable\`. Later releases may add codes and fields: handle an unknown code by its status, and ignore unknown fields.

**Repeats**: send an \`Idempotency-Key\` with every start. Repeat a failed request with the same key: the generation starts once.

**Limits** are in the headers of every response. \`Retry-After\` has the seconds to wait before a repeat.`

const tags: [Endpoint['tag'] | 'Events', string][] = [
  ['Catalog', 'Model families, their inputs and prices.'],
  ['Files', 'Input files of generations.'],
  ['Generations', 'Estimate, start, follow, list and cancel generations.'],
  ['Account', 'Credits, limits and usage.'],
  ['Keys', 'Keys of the team. Requires a key that may manage keys.'],
  ['Webhooks', 'Webhooks of the team and their deliveries. Requires a key that may manage webhooks.'],
  ['Description', 'The OpenAPI document of this interface.'],
  ['Events', 'Events sent to the webhooks of a team.'],
]

function operationOf(endpoint: Endpoint, shared: SharedExamples): ZodOpenApiOperationObject {
  const { success } = endpoint
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nRequires the scope \`${endpoint.scope}\`.`,
    security: [{ key: [endpoint.scope] }],
    ...parametersOf(endpoint),
    ...requestBodyOf(endpoint, shared),
    responses: {
      [success.status]: {
        description: success.description,
        headers: responseHeaders([], success.headers),
        ...contentOf(endpoint, shared),
      },
      ...(endpoint.headers?.['If-None-Match'] ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...refusalResponses(codesOf(endpoint)),
    },
  }
}

function contentOf(endpoint: Endpoint, shared: SharedExamples): Pick<ZodOpenApiResponseObject, 'content'> {
  const { schema, examples } = endpoint.success
  return schema ? { content: { [successTypeOf(endpoint)]: { schema, ...examplesField(examples, shared) } } } : {}
}

function requestBodyOf({ body, streamedBody }: Endpoint, shared: SharedExamples): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const contents = streamedBody?.content ?? (body ? { 'application/json': body } : undefined)
  if (!contents) return {}
  const content = Object.entries(contents).map(([type, { schema, examples }]) => [type, { schema, ...examplesField(examples, shared) }])
  return { requestBody: { required: !body?.optional, content: Object.fromEntries(content) } }
}

const notModified = {
  NotModified: { description: 'Nothing has changed.', headers: responseHeaders([], { ETag: 'The ETag of the request.' }) },
}

/** Removes what the library repeats beside a `$ref`, except a description. */
function stripRefSiblings(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripRefSiblings)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, description } = node as { $ref?: unknown; description?: unknown }
  if (typeof $ref === 'string') return description === undefined ? { $ref } : { $ref, description }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, stripRefSiblings(value)]))
}

function codesOf(endpoint: Endpoint): RefusalCode[] {
  return [...new Set([...commonRefusals, ...endpoint.refusals])]
}

/** The examples in `components`, each with its name there. */
type SharedExamples = ReadonlyMap<Example, string>

/** The examples of several operations, named after the first operation: `getGeneration.ready`. */
function sharedExamples(endpoints: Endpoint[]): SharedExamples {
  const firstNames = new Map<Example, string>()
  const shared = new Map<Example, string>()
  for (const { operationId, body, streamedBody, success } of endpoints) {
    const records = [body, success, ...Object.values(streamedBody?.content ?? {})].map((shown) => shown?.examples ?? {})
    for (const [name, example] of records.flatMap((record) => Object.entries(record))) {
      const first = firstNames.get(example)
      if (first === undefined) firstNames.set(example, `${operationId}.${name}`)
      else shared.set(example, first)
    }
  }
  return shared
}

/** The field `examples` of some content, if it has any: shared ones as references. */
function examplesField(examples: Record<string, Example> | undefined, shared: SharedExamples) {
  if (!examples) return {}
  const shown = Object.entries(examples).map(([name, example]) => {
    const sharedName = shared.get(example)
    return [name, sharedName === undefined ? example : { $ref: `#/components/examples/${sharedName}` }] as const
  })
  return { examples: Object.fromEntries(shown) }
}
