import { GraphQLError, Kind } from 'graphql'
import type { DocUrls } from '../contract/docUrl.ts'
import { type Issue, Refusal, type RefusalCode, refusalTable } from '../contract/refusals/refusals.ts'
import type { Log, Services } from '../domain/context.ts'
import { refusalOf } from '../domain/sql.ts'

/** The request that met an error. */
export type ErrorContext = Pick<Services, 'log' | 'docUrls'> & { requestId: string }

/**
 * What a caller is shown of an error: the refusal that a rule threw, an invalid_request for a document or variables that GraphQL did
 * not take, and internal_error for everything else, which is a bug, is logged, and keeps its words to itself.
 * Contract: docs/contract.md#graphql-errors.
 */
export function presentError(error: GraphQLError, request: ErrorContext): { refusal: Refusal; error: GraphQLError } {
  const refusal = refusalOfError(error, request)
  const { nodes, source, positions, path } = error
  return {
    refusal,
    error: new GraphQLError(refusal.message, { nodes, source, positions, path, extensions: extensionsOf(refusal, request.docUrls) }),
  }
}

function refusalOfError(error: GraphQLError, { log, requestId }: { log: Log; requestId: string }): Refusal {
  const cause = causeOf(error)
  const refusal =
    refusalOf(cause) ?? (cause instanceof GraphQLError && isRequestError(error, cause) ? refusalOfRequest(error, cause) : undefined)
  if (!refusal) {
    const words = cause instanceof Error ? cause.stack : String(cause)
    log.error({ requestId, path: error.path?.join('.') ?? null, error: words }, 'internal error')
    return new Refusal('internal_error')
  }
  if (refusal.code === 'service_unavailable') log.warn({ requestId, cause: messageOf(refusal.cause) }, 'service unavailable')
  return refusal
}

/** A refusal as `extensions` of an error. */
export function extensionsOf({ code, retryable, details }: Refusal, docUrls: DocUrls): Record<string, unknown> {
  return { code, retryable, ...(details && Object.keys(details).length > 0 ? { details } : {}), docUrl: docUrls.refusal(code) }
}

/** The innermost error: a scalar's own words, for example, arrive wrapped twice. */
function causeOf(error: GraphQLError): unknown {
  const cause = error.cause
  if (!cause) return error
  return cause instanceof GraphQLError ? causeOf(cause) : cause
}

/**
 * Whether the request is at fault, by syntax, validation or coercion. What GraphQL says of a value that we were about to give back has a
 * place in the answer and none in the document: that is a fault of ours, with our value in its words.
 */
function isRequestError(error: GraphQLError, cause: GraphQLError): boolean {
  return error.path === undefined || cause.nodes !== undefined
}

/** GraphQL's own words say where, and repeat what was sent, at whatever length. A rule of ours may have set another code. */
function refusalOfRequest({ message, nodes }: GraphQLError, { extensions }: GraphQLError): Refusal {
  const code = extensions['code']
  if (typeof code === 'string' && Object.hasOwn(refusalTable, code) && code !== 'invalid_request')
    return new Refusal(code as RefusalCode, undefined, { message })
  const [variable] = nodes ?? []
  const path = variable?.kind === Kind.VARIABLE_DEFINITION ? pathInVariable(message, variable.variable.name.value) : []
  const words = message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message
  const issue: Issue = { in: 'body', path, code: 'bad_format', message: words }
  return new Refusal('invalid_request', { issues: [issue] }, { message: words })
}

const messageCharactersMax = 500

/** Where in a variable a value is wrong, as rules name places in an input: `.axes[0].name` is axes, 0, name. All of it: its own name. */
function pathInVariable(message: string, name: string): (string | number)[] {
  const steps = /^Variable "\$\w+" has invalid value at ((?:\.\w+|\[\d+\])+): /.exec(message)?.[1]?.match(/\w+/g) ?? [name]
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}
