import type { Context } from '../../domain/context.ts'

/** Measures the response of one operation while it is built. */
export type ResponseMeter = {
  /** Adds to the length of the response. Throws the refusal of a too long response, also in every later call. */
  add(characters: number): void
  /** Resolves when this operation may continue to compute; rejects when the operation has ended. */
  waitForSlice(): Promise<void>
}

/** The context of resolvers. One for each request, so that loaders batch and cache only within the request. */
export type SchemaContext = {
  context: Context
  /** Aborts when the client disconnects or the process shuts down. Created at the first read. */
  readonly signal: AbortSignal
  /** The caller has validated the arguments with the zod schemas of the fields. */
  argumentsValidated?: boolean
  /** Absent for REST and MCP, whose operations are fixed. */
  answer?: ResponseMeter
}
