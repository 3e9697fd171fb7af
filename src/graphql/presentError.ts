import { GraphQLError, Kind } from 'graphql'
import type { DocUrls } from '../contract/docUrl.ts'
import { type DetailsOf, type Issue, Refusal, type RefusalCode, refusalTable } from '../contract/refusals/refusals.ts'
import type { Log, Services } from '../domain/context.ts'
import { refusalOf } from '../domain/sql.ts'

/** The request with an error. */
export type ErrorContext = Pick<Services, 'log' | 'docUrls'> & { requestId: string }

/**
 * The error for the client: the thrown refusal; invalid_request for an invalid document or invalid variables; else internal_error, without
 * the message of the error, which is logged as a bug.
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

/** The innermost cause: for example, the error of a scalar is wrapped twice. */
function causeOf(error: GraphQLError): unknown {
  const cause = error.cause
  if (!cause) return error
  return cause instanceof GraphQLError ? causeOf(cause) : cause
}

/**
 * Whether the request caused the error: syntax, validation or coercion of inputs. An error of serializing a result has a path in the
 * response and no node in the document: it is a bug, and its message contains our value.
 */
function isRequestError(error: GraphQLError, cause: GraphQLError): boolean {
  return error.path === undefined || cause.nodes !== undefined
}

/** GraphQL's message has the place, and repeats the input at any length: it is cut. Our validation rules may set another code. */
function refusalOfRequest({ message, nodes }: GraphQLError, { extensions }: GraphQLError): Refusal {
  const code = extensions['code']
  if (typeof code === 'string' && Object.hasOwn(refusalTable, code) && code !== 'invalid_request')
    return new Refusal(code as RefusalCode, extensions['details'] as DetailsOf<RefusalCode>, { message })
  const [variable] = nodes ?? []
  const path = variable?.kind === Kind.VARIABLE_DEFINITION ? pathInVariable(message, variable.variable.name.value) : []
  const words = message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message
  const issue: Issue = { in: 'body', path, code: 'bad_format', message: words }
  return new Refusal('invalid_request', { issues: [issue] }, { message: words })
}

const messageCharactersMax = 500

/** The path inside a variable: `.axes[0].name` is axes, 0, name. For the whole variable: its name. */
function pathInVariable(message: string, name: string): (string | number)[] {
  const steps = /^Variable "\$\w+" has invalid value at ((?:\.\w+|\[\d+\])+): /.exec(message)?.[1]?.match(/\w+/g) ?? [name]
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}
