import type { Context } from '../domain/context.ts'
import type { Operations, RunField } from '../schema/operations.ts'

/** The caller of a field. */
export type FieldCall = {
  context: Context
  /** Aborts when the client disconnects or cancels the call, or the process shuts down. */
  signal: AbortSignal
}

/** Runs a root field of the schema for a call, and returns the REST document. */
export type CallField = (variables: Record<string, unknown>, call: FieldCall) => Promise<unknown>

/** Prepares a root field; throws when the schema has no such field. */
export type CompileField = (kind: 'query' | 'mutation', name: string) => CallField

/** The access of tools and resources to the schema, which checks permissions. */
export function compileFields(operations: Operations): CompileField {
  return (kind, name) => {
    const run: RunField = operations.compile({ kind, name })
    return (variables, { context, signal }) => run(variables, context, { signal })
  }
}
