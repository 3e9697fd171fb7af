import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { asRefusal } from '../transport/translateError.ts'
import type { CompileField, FieldCall } from './compileFields.ts'
import { type CompletionParams, requestParams } from './requestParams.ts'
import { type ResourceAccess, type ResourceKind, type ResourcePage, resourceMimeType } from './resourceKind.ts'
import { familyResources } from './resources/families.ts'
import { generationResources } from './resources/generations.ts'
import type { Caller } from './tool.ts'

/** Limits the list of resources, because clients read all pages. Older generations: list_generations. */
const generationPagesMax = 4

/** The form of identifiers in a URI. */
const identifier = /^[a-z0-9][a-z0-9._-]{0,79}$/

type Connected = { kind: ResourceKind; access: ResourceAccess }

/**
 * Families and generations as resources: the documents of tools and REST, from the same operations of the schema, which check access. A
 * resource that is unknown or of another owner is a "resource not found" error.
 * Contract: docs/contract.md#agent-resources.
 */
export function connectResources(field: CompileField): (own: McpServer, caller: Caller) => void {
  const families = familyResources.connect(field)
  const generations = generationResources.connect(field)
  const connected: Connected[] = [
    { kind: familyResources, access: families },
    { kind: generationResources, access: generations },
  ]
  const resourceTemplates = connected.map(({ kind }) => templateOf(kind))

  async function page(cursor: string | undefined, call: FieldCall): Promise<ResourcePage> {
    const { pagesBefore, within } = parsePageCursor(cursor)
    const { resources, nextCursor } = await generations.page(within, call)
    const pages = pagesBefore + 1
    return {
      resources: cursor === undefined ? [...(await families.list(call)), ...resources] : resources,
      ...(nextCursor === undefined || pages === generationPagesMax ? {} : { nextCursor: `${pages}:${nextCursor}` }),
    }
  }

  return ({ server }, caller) => {
    const callOf = ({ signal }: { signal: AbortSignal }): FieldCall => ({
      context: caller.context,
      signal: AbortSignal.any([caller.gone, signal]),
    })
    const fault = (uri?: string) => (error: unknown) => {
      throw resourceError(error, caller, uri)
    }
    server.setRequestHandler('resources/list', { params: requestParams.list }, ({ cursor }, { mcpReq }) =>
      page(cursor, callOf(mcpReq)).catch(fault()),
    )
    server.setRequestHandler('resources/templates/list', { params: requestParams.list }, () => ({ resourceTemplates }))
    server.setRequestHandler('resources/read', { params: requestParams.readResource }, async ({ uri }, { mcpReq }) => ({
      contents: await read(connected, uri, callOf(mcpReq)).catch(fault(uri)),
    }))
    server.setRequestHandler('completion/complete', { params: requestParams.completion }, async (params, { mcpReq }) => ({
      completion: await complete(connected, params, callOf(mcpReq)).catch(fault()),
    }))
  }
}

async function read(connected: Connected[], uri: string, call: FieldCall) {
  for (const { kind, access } of connected) {
    const id = idIn(uri, kind)
    if (id !== undefined) return await access.read(id, call)
  }
  throw new ResourceNotFoundError(uri)
}

async function complete(connected: Connected[], { ref, argument }: CompletionParams, call: FieldCall) {
  const found = ref.type === 'ref/resource' ? connected.find(({ kind }) => uriTemplateOf(kind) === ref.uri) : undefined
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The template does not exist. See resources/templates/list.')
  return found.kind.argument === argument.name ? await found.access.complete(argument.value, call) : { values: [], hasMore: false }
}

function templateOf(kind: ResourceKind) {
  const { name, title, description } = kind
  return { uriTemplate: uriTemplateOf(kind), name, title, description, mimeType: resourceMimeType }
}

function uriTemplateOf({ uriPrefix, argument }: ResourceKind): string {
  return `${uriPrefix}{${argument}}`
}

function idIn(uri: string, { uriPrefix }: ResourceKind): string | undefined {
  const id = uri.startsWith(uriPrefix) ? uri.slice(uriPrefix.length) : ''
  return identifier.test(id) ? id : undefined
}

/** The number of previous pages, and the history cursor of the next page. */
function parsePageCursor(cursor: string | undefined): { pagesBefore: number; within: string | undefined } {
  if (cursor === undefined) return { pagesBefore: 0, within: undefined }
  const [, pages, within] = /^([1-9]):(.+)$/s.exec(cursor) ?? []
  const pagesBefore = Number(pages)
  if (pagesBefore < generationPagesMax) return { pagesBefore, within }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Takes the nextCursor of the previous page.')
}

const notThere: readonly RefusalCode[] = ['family_not_found', 'generation_not_found']

/** An error as a protocol error: "resource not found" for an unknown `uri`, else with the refusal of REST as data. */
function resourceError(error: unknown, { context, requestId }: Caller, uri?: string): ProtocolError {
  if (error instanceof ProtocolError) return error
  const refusal = asRefusal(error, context.log, requestId)
  if (uri !== undefined && notThere.includes(refusal.code)) return new ResourceNotFoundError(uri)
  const code = refusal.http >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, refusal.message, presentRefusal(refusal, context.docUrls))
}
