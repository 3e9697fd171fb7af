import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refusalsOf } from '../contract/refusals/orderOfChecks.ts'
import type { Refusal, RefusalCode } from '../contract/refusals/refusals.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import type { Context } from '../domain/context.ts'
import type { Scope } from '../entities/ApiKey.ts'

/** An admitted and parsed request. */
export type Call<Query = Record<string, never>, Body = undefined> = {
  context: Context
  actor: KeyActor
  parameters: Record<string, string>
  query: Query
  body: Body
  header(name: string): string | undefined
  /** How often the request has the header: Node joins or drops repeats. */
  headerCount(name: string): number
  /** Aborts when the client disconnects or the process shuts down. */
  readonly signal: AbortSignal
}

export type Answer = { status: 200 | 201 | 204 | 304; body: unknown; headers?: Record<string, string> }

export type Example = { summary: string; value: unknown }

/** A body that the endpoint reads by itself, because it is larger than usual or not JSON. */
export type StreamedBody<Body> = {
  /** The schemas by content type, for the OpenAPI document. */
  content: Record<string, { schema: z.ZodType; examples?: Record<string, Example> }>
  /** Checks the headers, before the body is read. */
  check(request: FastifyRequest): void
  /** Reads and checks the body; `signal` aborts when the client disconnects. */
  read(request: FastifyRequest, signal: AbortSignal): Promise<Body>
}

/** A root field of the GraphQL schema whose type has the REST response as `json`, and its arguments. */
export type RootField<Query, Body> = {
  kind: 'query' | 'mutation'
  name: string
  variables?(call: Call<Query, Body>): Record<string, unknown>
  /** The refusal when a nullable field is null. */
  orRefuse?(call: Call<Query, Body>): Refusal
}

/** The success response of an endpoint; 204 has no body. */
export type Success<Result> =
  | {
      status: 200 | 201
      description: string
      schema: z.ZodType<Result>
      headers?: Record<string, string>
      examples?: Record<string, Example>
    }
  | { status: 204; description: string; schema?: never; headers?: never; examples?: never }

/** A subscription field of the GraphQL schema, served as server-sent events with the name `event`. The result is the data of each event. */
export type SubscriptionField<Query, Body> = {
  kind: 'subscription'
  name: string
  event: string
  variables?(call: Call<Query, Body>): Record<string, unknown>
}

/** The definition of an endpoint, for the router and the OpenAPI document. */
export type Endpoint<Query = unknown, Body = unknown, Result = unknown> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1`, with parameters in braces. */
  path: string
  operationId: string
  tag: 'Catalog' | 'Generations' | 'Files' | 'Account' | 'Keys' | 'Webhooks' | 'Description'
  summary: string
  description: string
  scope: Scope
  query: z.ZodType<Query>
  /** Query parameters with members, such as `metadata[project]`. */
  queryObjects?: readonly string[]
  /** The JSON body; an `optional` one may be empty. */
  body?: { schema: z.ZodType<Body>; optional?: boolean; examples?: Record<string, Example> }
  /** Instead of `body`. */
  streamedBody?: StreamedBody<Body>
  /** The documented request headers, by name. */
  headers?: Record<string, { description: string; schema: Record<string, unknown> }>
  /** The path parameter `id` is a generation: the statement that admits the request also reads it. */
  readsGeneration?: boolean
  /** The descriptions of path parameters, by name. */
  parameters?: Record<string, string>
  success: Success<Result>
  /** The refusals of this endpoint, without the common ones. */
  refusals: readonly RefusalCode[]
  /** The source of the result: a field of the schema, or a function. */
  source: RootField<Query, Body> | SubscriptionField<Query, Body> | { kind: 'own'; result(): Result }
  /** Builds the response. Default: the success status and the result. */
  answer?(result: Result, call: Call<Query, Body>): Answer
}

/** Checks the types of an endpoint, and widens them for the table of endpoints. */
export function endpoint<Query, Body, Result>(definition: Endpoint<Query, Body, Result>): Endpoint {
  return definition
}

/** The content type of a success. */
export function successTypeOf({ source }: Pick<Endpoint, 'source'>): 'application/json' | 'text/event-stream' {
  return source.kind === 'subscription' ? 'text/event-stream' : 'application/json'
}

/** The refusals of every endpoint. */
export const commonRefusals: readonly RefusalCode[] = [
  ...refusalsOf('key', 'scope'),
  ...refusalsOf('body or query'),
  'internal_error',
  'service_unavailable',
]
