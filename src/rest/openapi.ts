import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { docUrlsAt } from '../contract/docUrl.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { simplifyJsonSchema } from '../contract/shapes/simplifyJsonSchema.ts'
import { commonRefusals, type Endpoint, successTypeOf } from './endpoint.ts'
import { examplesField, type SharedExamples, sharedExamples } from './openapiExamples.ts'
import { headerComponents, responseHeaders } from './openapiHeaders.ts'
import { parameterComponents, parametersOf } from './openapiParameters.ts'
import { refusalCodeTable, refusalExamples, refusalResponses, sharedRefusalResponses } from './openapiRefusals.ts'
import { webhookObjects, webhookParameters } from './openapiWebhooks.ts'

/**
 * The OpenAPI 3.1 document of the public interface, made of the very schemas that check requests.
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
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `atl_…`. Each operation names the scope that it needs.' },
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
    // Schemas with checks of their own say in `override` how they look; the library would have them say it at every layer.
    allowEmptySchema: { custom: true, optional: true },
    override: simplifyJsonSchema,
  })
  return stripRefSiblings(made)
}

const introduction = `Runs model generations (images, video, audio, 3D) from a catalog of families, paid from the credits of a team.

**The usual way**: read the catalog, upload input files, estimate or start a generation, wait for its end, follow the link of its result.

**Refusals** have one shape, with a \`code\` to program against and \`retryable\`. Later releases may add codes and fields: handle an unknown code by its status, and ignore fields that you do not know.

**Repeats**: send an \`Idempotency-Key\` with every start, and repeat a broken request with the same key; it starts once.

**Limits** stand in the headers of every answer; \`Retry-After\` says when to come back.`

const tags: [Endpoint['tag'] | 'Events', string][] = [
  ['Catalog', 'Which models there are, what they take and what they cost.'],
  ['Files', 'Inputs of generations.'],
  ['Generations', 'Estimate, start, follow, list and cancel work.'],
  ['Account', 'What may be spent.'],
  ['Description', 'This interface, for machines.'],
  ['Events', 'What is sent to the addresses that a team has subscribed.'],
]

function operationOf(endpoint: Endpoint, shared: SharedExamples): ZodOpenApiOperationObject {
  const { success } = endpoint
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nNeeds the scope \`${endpoint.scope}\`.`,
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
  NotModified: { description: 'Nothing has changed.', headers: responseHeaders([], { ETag: 'The one that was sent.' }) },
}

/** Takes away what the library repeats beside a reference: only words of its own may stand there. */
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
