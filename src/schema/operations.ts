import { type ExecutionResult, execute, type GraphQLSchema, parse, validate } from 'graphql'
import type { Context } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import { refusalOf } from '../domain/sql.ts'
import type { SchemaContext } from './context.ts'
import { schema } from './schema.ts'

type Variables = Record<string, unknown>

/** Runs one operation for one caller and gives its data; throws what a rule threw. `signal`: the caller is gone. */
export type Run = (variables: Variables, context: Context, signal: AbortSignal) => Promise<Record<string, unknown>>

/** How the doors inside this process use the schema: an operation is parsed and checked once, at the start. */
export type Operations = { compile(source: string): Run }

export const operations: Operations = { compile: (source) => compileOperation(schema, source) }

/** Throws when the operation does not fit the schema: that is for the start, not for a request. */
export function compileOperation(of: GraphQLSchema, source: string): Run {
  const document = parse(source)
  const errors = validate(of, document)
  invariant(errors.length === 0, `${errors.map(({ message }) => message).join('; ')} in: ${source}`)
  return async (variableValues, context, signal) => {
    const contextValue: SchemaContext = { context, signal }
    return dataOf(await execute({ schema: of, document, contextValue, variableValues }))
  }
}

function dataOf({ data, errors }: ExecutionResult): Record<string, unknown> {
  const [first] = errors ?? []
  if (first) throw refusalOf(first.cause) ?? (first.cause instanceof Error ? first.cause : first)
  invariant(data, 'an operation without errors has data')
  return data
}
