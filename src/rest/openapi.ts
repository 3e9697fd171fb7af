import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { refusalBody, refusalCodes } from '../contract/refusal.ts'
import { generationFailure } from '../contract/failure.ts'
import { type RefusalCode, refusalTable } from '../domain/refusals.ts'
import { commonRefusals, type Endpoint } from './endpoint.ts'
import { parameterObjects } from './openapiParameters.ts'
import { headerObjects, limitHeaderDescriptions } from './openapiHeaders.ts'
import { webhookObjects } from './openapiWebhooks.ts'

/**
 * The OpenAPI 3.1 document of the public interface, made of the very schemas that check requests.
 * Spec: GET /openapi.json. Contract: section 3.
 */
export function describe(endpoints: Endpoint[], options: { publicUrl: string; version: string }): unknown {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Atelier',
      version: options.version,
      description: 'Runs model generations (images, video, audio, 3D) from a catalog of families, paid from the credits of a team.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${options.publicUrl}/api/v1` }],
    security: [{ key: [] }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookObjects(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key: `atl_…`.' } },
      schemas: { Refusal: refusalBody, GenerationFailure: generationFailure },
    },
    'x-refusal-codes': refusalCodes.map((code) => ({ code, status: refusalTable[code].http, retryable: refusalTable[code].retryable })),
  }
  // Schemas with checks of their own say in `override` how they look; the library would have them say it at every layer.
  return createDocument(document as Parameters<typeof createDocument>[0], { allowEmptySchema: { custom: true, optional: true } })
}

const tags: [Endpoint['tag'], string][] = [
  ['Catalog', 'Which models there are, what they take and what they cost.'],
  ['Files', 'Inputs of generations.'],
  ['Generations', 'Estimate, start, follow, list and cancel work.'],
  ['Account', 'What may be spent.'],
  ['Description', 'This interface, for machines.'],
]

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { body, success } = endpoint
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nNeeds the scope \`${endpoint.scope}\`.`,
    parameters: parameterObjects(endpoint),
    ...(body
      ? {
          requestBody: {
            required: !body.optional,
            content: { 'application/json': { schema: body.schema, ...(body.examples ? { examples: body.examples } : {}) } },
          },
        }
      : {}),
    responses: {
      [success.status]: {
        description: success.description,
        headers: { ...headerObjects(limitHeaderDescriptions), ...headerObjects(success.headers ?? {}) },
        content: { 'application/json': { schema: success.schema, ...(success.examples ? { examples: success.examples } : {}) } },
      },
      ...(endpoint.headers?.['If-None-Match'] ? { 304: { description: 'Nothing has changed.', headers: headerObjects(limitHeaderDescriptions) } } : {}),
      ...refusalResponses([...commonRefusals, ...endpoint.refusals]),
    },
  } as ZodOpenApiOperationObject
}

function refusalResponses(codes: RefusalCode[]): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(new Set(codes), (code) => refusalTable[code].http)
  return Object.fromEntries(
    [...byStatus].toSorted(([left], [right]) => left - right).map(([status, these]) => [String(status), refusalResponse(status, these)]),
  )
}

function refusalResponse(status: number, codes: RefusalCode[]): ZodOpenApiResponseObject {
  const extra = {
    ...(status === 401 ? { 'WWW-Authenticate': 'How to authenticate.' } : {}),
    ...(codes.some(waits) ? { 'Retry-After': 'Seconds to wait before a repeat.' } : {}),
  }
  const examples = Object.fromEntries(
    codes.map((code) => {
      const { message, retryable } = refusalTable[code]
      return [code, { summary: message, value: { error: { code, message, retryable } } }]
    }),
  )
  return {
    description: codes.map((code) => `\`${code}\`: ${refusalTable[code].message}`).join('\n\n'),
    headers: headerObjects({ ...limitHeaderDescriptions, ...extra }),
    content: { 'application/json': { schema: refusalBody, examples } },
  } as ZodOpenApiResponseObject
}

function waits(code: RefusalCode): boolean {
  const { http } = refusalTable[code]
  return http === 429 || http === 503 || code === 'file_not_ready' || code === 'idempotency_in_progress'
}
