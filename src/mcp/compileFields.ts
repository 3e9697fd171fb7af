import type { Context } from '../domain/context.ts'
import type { Operations, RunField } from '../schema/operations.ts'

/** Who asks. */
export type FieldCall = {
  context: Context
  /** Aborts when the client goes away or cancels the call, or the process shuts down. */
  signal: AbortSignal
}

/** Runs a root field of the schema for a call; the same document that REST would answer with. */
export type CallField = (variables: Record<string, unknown>, call: FieldCall) => Promise<unknown>

/** Makes a root field ready to be run; throws when the schema has no such field. */
export type CompileField = (kind: 'query' | 'mutation', name: string) => CallField

/** How tools and resources use the schema, which judges who may see and do what. */
export function compileFields(operations: Operations): CompileField {
  return (kind, name) => {
    const run: RunField = operations.compile({ kind, name })
    return (variables, { context, signal }) => run(variables, context, { signal })
  }
}
