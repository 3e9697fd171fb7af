import type { Context } from '../domain/context.ts'

/** What resolvers get: one per request, so that its loaders batch and remember within that request alone. */
export type SchemaContext = {
  context: Context
  /** Aborts when the caller goes away or the process shuts down. Made when it is first asked for. */
  readonly signal: AbortSignal
  /** The door has read the arguments with the schemas of their fields already. */
  argumentsAreChecked?: boolean
}
