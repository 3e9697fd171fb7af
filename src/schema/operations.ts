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
 * Resolves a root field and returns its REST document, `undefined` when the field is null. Rejects with the error of the domain. The
 * signal of the caller is read only by fields that wait.
 */
export type RunField = (variables: Variables, context: Context, caller: Pick<SchemaContext, 'signal'>) => Promise<unknown>

/** Subscribes to a root field and yields its REST document at each event. Rejects with a refusal before the first event. */
export type SubscribeField = (
  variables: Variables,
  context: Context,
  caller: Pick<SchemaContext, 'signal'>,
) => Promise<AsyncGenerator<unknown, void>>

/** How REST and MCP use the schema: each operation has one root field, and is parsed and validated once, at the start. */
export type Operations = {
  compile(field: Field<'query' | 'mutation'>): RunField
  follow(field: Field<'subscription'>): SubscribeField
}

/** Arguments are not validated: the REST endpoint or tool has validated them with the schemas of the field. */
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

/** Executes an operation and returns its data. Rejects with the error of the domain. */
type Run = (variables: Variables, context: Context, signal: AbortSignal) => Promise<Record<string, unknown>>

/** Compiles an operation of any form, whose arguments are validated at each run. */
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
