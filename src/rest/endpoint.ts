import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { RefusalCode } from '../contract/refusals.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import type { Context } from '../domain/context.ts'
import type { Scope } from '../entities/ApiKey.ts'

/** One accepted request, read and checked: what an endpoint translates. */
export type Call<Query = Record<string, never>, Body = undefined> = {
  context: Context
  actor: KeyActor
  parameters: Record<string, string>
  query: Query
  body: Body
  header(name: string): string | undefined
  /** How often the header stands in the request, since Node joins or drops repeats. */
  headerCount(name: string): number
  /** Aborts when the client goes away or the process shuts down. */
  signal: AbortSignal
  /** Runs the endpoint's operation on the one schema, in the process; throws the refusal that a rule threw. */
  run(variables: Record<string, unknown>): Promise<Record<string, unknown>>
}

export type Answer = { status: 200 | 201 | 304; body: unknown; headers?: Record<string, string> }

export type Example = { summary: string; value: unknown }

/** A body that is more than JSON of the usual size, and is read by the endpoint's own means. */
export type StreamedBody<Body> = {
  /** What it may be, by content type, for the document. */
  content: Record<string, { schema: z.ZodType; examples?: Record<string, Example> }>
  /** Judges the request by its headers, before a byte of the body is read. */
  check(request: FastifyRequest): void
  /** Reads and checks the body; `signal` aborts when the client goes away. */
  read(request: FastifyRequest, signal: AbortSignal): Promise<Body>
}

/** Everything that one endpoint is, for the router and for the OpenAPI document alike. */
export type Endpoint<Query = unknown, Body = unknown> = {
  method: 'GET' | 'POST'
  /** Below `/api/v1`; parameters stand in braces. */
  path: string
  operationId: string
  tag: 'Catalog' | 'Generations' | 'Files' | 'Account' | 'Description'
  summary: string
  description: string
  scope: Scope
  query: z.ZodType<Query>
  /** The JSON body; `optional` ones may be empty. */
  body?: { schema: z.ZodType<Body>; optional?: boolean; examples?: Record<string, Example> }
  /** Instead of `body`. */
  streamedBody?: StreamedBody<Body>
  /** Request headers that mean something here, by name. */
  headers?: Record<string, { description: string; schema: Record<string, unknown> }>
  /** Path parameters in words, by name. */
  parameters?: Record<string, string>
  success: {
    status: 200 | 201
    description: string
    schema: z.ZodType
    headers?: Record<string, string>
    examples?: Record<string, Example>
  }
  /** The GraphQL operation that it translates to; parsed and validated once, at the start. */
  operation: string
  /** The codes that are this endpoint's own; those that every endpoint has are added. */
  refusals: RefusalCode[]
  handle(call: Call<Query, Body>): Promise<Answer>
}

/** Keeps an endpoint's own types while it is written, and widens it for the table. */
export function endpoint<Query, Body>(definition: Endpoint<Query, Body>): Endpoint {
  return definition
}

/** What every endpoint may refuse with. */
export const commonRefusals: RefusalCode[] = [
  'unauthorized',
  'invalid_token',
  'rate_limited',
  'too_many_concurrent',
  'access_denied',
  'account_blocked',
  'team_expired',
  'team_required',
  'insufficient_scope',
  'invalid_request',
  'internal_error',
  'service_unavailable',
]
