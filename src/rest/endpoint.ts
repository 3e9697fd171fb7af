import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refusalsOf } from '../contract/refusals/orderOfChecks.ts'
import type { Refusal, RefusalCode } from '../contract/refusals/refusals.ts'
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
  readonly signal: AbortSignal
}

export type Answer = { status: 200 | 201 | 204 | 304; body: unknown; headers?: Record<string, string> }

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

/** A field of the one schema whose type carries the document of REST as `json`, and how its arguments come about. */
export type RootField<Query, Body> = {
  kind: 'query' | 'mutation'
  name: string
  variables?(call: Call<Query, Body>): Record<string, unknown>
  /** For a field that may give nothing. */
  orRefuse?(call: Call<Query, Body>): Refusal
}

/** What an endpoint answers when all is well; 204 has no body. */
export type Success<Result> =
  | {
      status: 200 | 201
      description: string
      schema: z.ZodType<Result>
      headers?: Record<string, string>
      examples?: Record<string, Example>
    }
  | { status: 204; description: string; schema?: never; headers?: never; examples?: never }

/** A field of the one schema that goes on telling: the answer is a stream of events of that name, and the result is that of each. */
export type SubscriptionField<Query, Body> = {
  kind: 'subscription'
  name: string
  event: string
  variables?(call: Call<Query, Body>): Record<string, unknown>
}

/** Everything that one endpoint is, for the router and for the OpenAPI document alike. */
export type Endpoint<Query = unknown, Body = unknown, Result = unknown> = {
  method: 'GET' | 'POST' | 'DELETE'
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
  /** The parameter `id` of the path is a generation: it is read by the statement that admits the request. */
  readsGeneration?: boolean
  /** Path parameters in words, by name. */
  parameters?: Record<string, string>
  success: Success<Result>
  /** The codes that are this endpoint's own; those that every endpoint has are added. */
  refusals: readonly RefusalCode[]
  /** Where the result comes from: a field of the schema, or this door itself. */
  source: RootField<Query, Body> | SubscriptionField<Query, Body> | { kind: 'own'; result(): Result }
  /** How the result is answered; unless given, with the status of success and nothing else. */
  answer?(result: Result, call: Call<Query, Body>): Answer
}

/** Keeps an endpoint's own types while it is written, and widens it for the table. */
export function endpoint<Query, Body, Result>(definition: Endpoint<Query, Body, Result>): Endpoint {
  return definition
}

/** As which type a success is answered. */
export function successTypeOf({ source }: Pick<Endpoint, 'source'>): 'application/json' | 'text/event-stream' {
  return source.kind === 'subscription' ? 'text/event-stream' : 'application/json'
}

/** What every endpoint may refuse with. */
export const commonRefusals: readonly RefusalCode[] = [
  ...refusalsOf('key', 'scope'),
  ...refusalsOf('body or query'),
  'internal_error',
  'service_unavailable',
]
