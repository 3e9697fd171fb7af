import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  parse,
  subscribe,
  validate,
} from 'graphql'
import type { Context } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import { refusalOf } from '../domain/sql.ts'
import { tracedChild } from '../tracing/tracing.ts'
import type { SchemaContext } from './core/context.ts'
import { resolveRootField } from './core/resolveRootField.ts'
import { schema } from './schema.ts'

type Variables = Record<string, unknown>
type Field<Kind extends 'query' | 'mutation' | 'subscription'> = { kind: Kind; name: string }

/**
 * Gives the document of REST that a root field stands for, `undefined` when the field is null; throws what a rule threw. The signal of
 * the caller is read when somebody waits for it.
 */
export type RunField = (variables: Variables, context: Context, caller: Pick<SchemaContext, 'signal'>) => Promise<unknown>

/** Gives that document again and again, as a root field of subscriptions tells it; rejects with what the rule refuses before the first. */
export type SubscribeField = (
  variables: Variables,
  context: Context,
  caller: Pick<SchemaContext, 'signal'>,
) => Promise<AsyncGenerator<unknown, void>>

/** How the doors inside this process use the schema: by a root field, whose operation is parsed and checked once, at the start. */
export type Operations = {
  compile(field: Field<'query' | 'mutation'>): RunField
  follow(field: Field<'subscription'>): SubscribeField
}

/** Whoever runs these has read the request with the very schemas that the fields name, so that it is not read again. */
export const operations: Operations = {
  compile(field) {
    const document = parseAndValidate(schema, operationSource(schema, field))
    const resolve = resolveRootField(schema, document)
    invariant(resolve, `${field.name} returns an object type`)
    return (variables, context, caller) =>
      tracedChild(field.name, {}, () => resolve(variables, schemaContextFor(context, caller)).catch(rethrow))
  },
  follow(field) {
    const document = parseAndValidate(schema, operationSource(schema, field))
    return async (variables, context, caller) => {
      const contextValue = schemaContextFor(context, caller)
      const results = await subscribe({ schema, document, contextValue, variableValues: variables })
      if (!(Symbol.asyncIterator in results)) throw errorIn(results)
      return documentsIn(results, field.name)
    }
  },
}

function schemaContextFor(context: Context, caller: Pick<SchemaContext, 'signal'>): SchemaContext {
  return {
    context,
    argumentsValidated: true,
    get signal() {
      return caller.signal
    },
  }
}

async function* documentsIn(results: AsyncIterable<ExecutionResult>, name: string): AsyncGenerator<unknown, void> {
  for await (const result of results) yield documentIn(result, name)
}

function documentIn(result: ExecutionResult, name: string): unknown {
  return (dataOf(result)[name] as { json: unknown } | null)?.json
}

/** An operation on one root field that takes all of its arguments as variables of the same names. */
function operationSource(of: GraphQLSchema, { kind, name }: Field<'query' | 'mutation' | 'subscription'>): string {
  const root = { query: of.getQueryType(), mutation: of.getMutationType(), subscription: of.getSubscriptionType() }[kind]
  const args = root?.getFields()[name]?.args ?? []
  const listed = (write: (name: string, type: string) => string) =>
    args.length === 0 ? '' : `(${args.map((each) => write(each.name, String(each.type))).join(', ')})`
  const type = root?.getFields()[name]?.type
  const selection = type !== undefined && isLeafType(getNamedType(type)) ? '' : ' { json }'
  return `${kind}${listed((arg, type) => `$${arg}: ${type}`)} { ${name}${listed((arg) => `${arg}: $${arg}`)}${selection} }`
}

/** Runs one operation for one caller and gives its data; throws what a rule threw. */
type Run = (variables: Variables, context: Context, signal: AbortSignal) => Promise<Record<string, unknown>>

/** An operation of any form, for callers whose arguments nobody has read yet. */
export function compileOperation(of: GraphQLSchema, source: string): Run {
  const document = parseAndValidate(of, source)
  return async (variableValues, context, signal) => {
    const contextValue: SchemaContext = { context, signal }
    return dataOf(await execute({ schema: of, document, contextValue, variableValues }))
  }
}

/** Throws when the operation does not fit the schema: that is for the start, not for a request. */
function parseAndValidate(of: GraphQLSchema, source: string): DocumentNode {
  const document = parse(source)
  const errors = validate(of, document)
  invariant(errors.length === 0, `${errors.map(({ message }) => message).join('; ')} in: ${source}`)
  return document
}

function dataOf({ data, errors }: ExecutionResult): Record<string, unknown> {
  if (errors && errors.length > 0) throw errorIn({ errors })
  invariant(data, 'an operation without errors has data')
  return data
}

function rethrow(error: unknown): never {
  throw refusalOf(error) ?? error
}

/** What a rule threw, or GraphQL itself. */
function errorIn({ errors }: ExecutionResult): unknown {
  const [first] = errors ?? []
  return refusalOf(first?.cause) ?? (first?.cause instanceof Error ? first.cause : first)
}
