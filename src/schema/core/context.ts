import type { Context } from '../../domain/context.ts'

/** Measures the answer of one operation while it is built. */
export type ResponseMeter = {
  /** Adds to the length of the answer. Throws the refusal of an answer that is too long, also after it was thrown once. */
  add(characters: number): void
  /** Resolves when this operation may compute on; rejects when its answer is no longer built. */
  waitForSlice(): Promise<void>
}

/** What resolvers get: one per request, so that its loaders batch and remember within that request alone. */
export type SchemaContext = {
  context: Context
  /** Aborts when the caller goes away or the process shuts down. Made when it is first asked for. */
  readonly signal: AbortSignal
  /** The door has read the arguments with the schemas of their fields already. */
  argumentsValidated?: boolean
  /** Absent for the doors inside the process, whose operations are fixed. */
  answer?: ResponseMeter
}
