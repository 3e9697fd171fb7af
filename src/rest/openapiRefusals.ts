import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { DocUrls } from '../contract/docUrl.ts'
import { refusalBody, refusalCodes } from '../contract/refusals/refusalBody.ts'
import { refusalExample } from '../contract/refusals/refusalExamples.ts'
import { type RefusalCode, refusalTable } from '../contract/refusals/refusals.ts'
import { hasRetryAfter } from '../transport/refusalHeaders.ts'
import { commonRefusals } from './endpoint.ts'
import { responseHeaders } from './openapiHeaders.ts'

type Example = { summary: string; value: unknown }
type Responses = Record<string, ZodOpenApiResponseObject | { $ref: string }>

/** The names of the shared responses with the common codes, by status. */
const commonNames: Record<number, string> = {
  401: 'Unauthenticated',
  403: 'Forbidden',
  429: 'TooMany',
  500: 'InternalError',
  503: 'Unavailable',
}

/** One response for each status of the codes: a reference to a shared one, or one with all its codes. */
export function refusalResponses(codes: readonly RefusalCode[]): Responses {
  const sorted = [...byStatus(codes)].toSorted(([left], [right]) => left - right)
  return Object.fromEntries(
    sorted.map(([status, these]) => {
      const name = sharedName(status, these)
      return [String(status), name === undefined ? refusalResponse(status, these) : { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** The shared responses by name; `operations` are the codes of each operation. */
export function sharedRefusalResponses(operations: readonly (readonly RefusalCode[])[]): Record<string, ZodOpenApiResponseObject> {
  const shared = operations.flatMap((codes) =>
    [...byStatus(codes)].flatMap(([status, these]) => {
      const name = sharedName(status, these)
      return name === undefined ? [] : [[name, refusalResponse(status, these)] as const]
    }),
  )
  return Object.fromEntries(shared)
}

/** A response is shared when it has only one code, or exactly the common codes of its status. */
function sharedName(status: number, codes: readonly RefusalCode[]): string | undefined {
  const [code = '', ...others] = codes
  if (byStatus(commonRefusals).get(status)?.length === codes.length && commonNames[status] !== undefined) return commonNames[status]
  return others.length === 0 ? code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()) : undefined
}

/** One example for each code, for references. */
export function refusalExamples(codes: readonly RefusalCode[], docUrls: DocUrls): Record<string, Example> {
  const examples = [...new Set(codes)].toSorted().map((code): [RefusalCode, Example] => {
    return [code, { summary: refusalTable[code].message, value: refusalExample(code, docUrls) }]
  })
  return Object.fromEntries(examples)
}

/** Every code with its status, including codes of no operation. */
export function refusalCodeTable(): { code: RefusalCode; status: number; retryable: boolean }[] {
  return refusalCodes.map((code) => ({ code, status: refusalTable[code].http, retryable: refusalTable[code].retryable }))
}

function byStatus(codes: readonly RefusalCode[]): Map<number, RefusalCode[]> {
  return Map.groupBy(new Set(codes), (code) => refusalTable[code].http)
}

/** `x-refusal-codes` lists the codes for programs. */
function refusalResponse(status: number, codes: readonly RefusalCode[]): ZodOpenApiResponseObject {
  const headers = responseHeaders([
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(codes.some(hasRetryAfter) ? ['Retry-After' as const] : []),
  ])
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${refusalTable[code].message}`).join('\n\n'),
    headers,
    content: { 'application/json': { schema: refusalBody, examples } },
    'x-refusal-codes': codes,
  }
}
