import { type execute, GraphQLError, parse, type Source, validate } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { type CooperativeScheduler, makeCooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'
import type { Permit } from '../concurrency/fairSemaphore.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import { type Context, contextFor, type Origin, type Services } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { SchemaContext } from '../schema/core/context.ts'
import { schema } from '../schema/schema.ts'
import { tracedChild } from '../tracing/tracing.ts'
import { checkComplexity } from './checkComplexity.ts'
import { makeDocumentCache } from './documentCache.ts'
import { documentLimits, responseBytesMax } from './documentLimits.ts'
import { NoIntrospectionRule, NoSubscriptionRule, OnlyIntrospectionRule, PlainStringsRule, ShallowLiteralsRule } from './documentRules.ts'
import { exceedsNesting } from './exceedsNesting.ts'
import { callerKind, makeExecuteWithLimits } from './executeWithLimits.ts'
import { type PresentedResult, presentResult } from './presentResult.ts'
import { makeResponseMeter, type OperationMeter, responseTooLong } from './responseMeter.ts'
import { serializeJson } from './serializeJson.ts'

/** The context of a request. Without an actor only introspection is allowed. */
export type YogaServerContext = {
  actor: Actor | undefined
  origin: Origin
  mayIntrospect: boolean
  requestId: string
  shutdown: AbortSignal
  /** Aborts with a refusal when the client disconnects. */
  disconnected: AbortSignal
  /** Counts additional requests towards the caller's rate limit. Refusals: rate_limited. */
  countExtraRequests?: ((requests: number) => Promise<void>) | undefined
  /** Called with the code of a refused field or document, for the log entry of the request. */
  onRefused(code: RefusalCode): void
  /** Runs `end` when the response was sent or the client disconnected. */
  onResponseClosed(end: () => void): void
}

/** The state of an operation during its execution and the writing of its response. */
type OperationState = { meter?: OperationMeter; held?: Permit }

/** A parsed document takes up to 200 times the memory of its text: at most 40 MB in all. */
const cachedCharactersMax = 200_000

/** The time that all operations together may compute in one turn of the event loop. */
const sliceMs = 4

/** Longer responses are serialized in pieces. */
const shortCharacters = 100_000

/** GraphQL Yoga with the schema: one JSON request, no batching, no multipart. */
export function makeYoga(services: Services) {
  const scheduler = makeCooperativeScheduler(sliceMs)
  const operationStates = new WeakMap<Request, OperationState>()
  return createYoga<YogaServerContext, Partial<SchemaContext>>({
    schema,
    graphqlEndpoint: '/graphql',
    cors: false,
    multipart: false,
    batching: false,
    landingPage: false,
    graphiql: false,
    logging: false,
    maskedErrors: false,
    maxRequestBodySize: false,
    parserAndValidationCache: {
      documentCache: makeDocumentCache(cachedCharactersMax),
      errorCache: { get: () => undefined, set: () => undefined },
    },
    plugins: [
      parseSchedulingPlugin(scheduler),
      documentLimitsPlugin,
      documentRules,
      limitedExecutionPlugin(operationStates),
      jsonResponsePlugin(services, { scheduler, operationStates }),
    ],
    context: ({ actor, origin, request, shutdown, countExtraRequests }) => {
      const answer = makeResponseMeter(scheduler)
      operationStates.set(request, { meter: answer })
      if (!actor) return { answer }
      const context = {
        ...contextFor(services, actor, origin),
        ...(countExtraRequests && { countRequests: allOrNone(countExtraRequests) }),
      }
      return { context, signal: AbortSignal.any([request.signal, shutdown]), answer }
    },
  })
}

/** Refuses all items of a batch beyond the rate, as {@link makeExecuteWithLimits} refuses all mutations of a document. */
function allOrNone(count: (requests: number) => Promise<void>): NonNullable<Context['countRequests']> {
  return async (requests) => {
    if (requests > 0) await count(requests)
    return { beyond: 0, refusal: undefined }
  }
}

/** Schedules parsing and validation, so that many documents do not block the event loop. */
function parseSchedulingPlugin(scheduler: CooperativeScheduler): Plugin<object, YogaServerContext> {
  return { onParams: () => scheduler.waitForSlice() }
}

/** Limits the document before the validation rules run: the time of some rules grows with the square of the document. */
const documentLimitsPlugin: Plugin<YogaServerContext> = {
  onParse({ setParseFn }) {
    const { tokens: maxLexicalTokens, comments: maxComments, nesting } = documentLimits
    setParseFn((source: string | Source) => {
      if (exceedsNesting(typeof source === 'string' ? source : source.body, nesting)) throw tooDeep
      return parse(source, { maxLexicalTokens, maxComments })
    })
  },
  onValidate({ setValidationFn, context }) {
    setValidationFn((...[of, document, rules]: Parameters<typeof validate>) => {
      const refusal = checkComplexity(of, document, callerKind(context.actor))
      return refusal ? [new GraphQLError(refusal.message, { cause: refusal })] : validate(of, document, rules, { maxErrors: errorsMax })
    })
  },
}

/** Each error may print most of a request. */
const errorsMax = 5

const tooDeep = new GraphQLError(`A document may have at most ${documentLimits.nesting} levels of nested brackets.`)

/** Adds the validation rules. Yoga caches validation results by the names of the rules. */
const documentRules: Plugin<YogaServerContext> = {
  onValidate({ addValidationRule, context }) {
    addValidationRule(PlainStringsRule)
    addValidationRule(ShallowLiteralsRule)
    addValidationRule(context.actor ? NoSubscriptionRule : OnlyIntrospectionRule)
    if (!context.mayIntrospect) addValidationRule(NoIntrospectionRule)
  },
}

/** Executes operations with executeWithLimits. */
function limitedExecutionPlugin(operationStates: WeakMap<Request, OperationState>): Plugin<YogaServerContext> {
  const executeWithLimits = makeExecuteWithLimits()
  return {
    onExecute({ context, setExecuteFn }) {
      const { actor, disconnected, countExtraRequests, onResponseClosed, request } = context
      const work = operationStates.get(request)
      invariant(work?.meter, 'every operation has a meter')
      const executed = (held: Permit) => {
        work.held = held
        onResponseClosed(held.release)
      }
      const operation = { actor, disconnected, countExtraRequests, meter: work.meter, executed }
      setExecuteFn((asked: Parameters<typeof execute>[0]) => tracedChild('graphql', {}, async () => executeWithLimits(asked, operation)))
    },
  }
}

/** Every response is one JSON document, even if the client accepts streams. */
function jsonResponsePlugin(
  { log, docUrls }: Services,
  { scheduler, operationStates }: { scheduler: CooperativeScheduler; operationStates: WeakMap<Request, OperationState> },
): Plugin<object, YogaServerContext> {
  async function write({ body }: PresentedResult, length: number): Promise<Buffer<ArrayBuffer> | undefined> {
    // A short response is fastest in one piece.
    return length <= shortCharacters
      ? Buffer.from(JSON.stringify(body))
      : await serializeJson(body, { scheduler, bytesMax: responseBytesMax })
  }
  return {
    onResultProcess({ request, serverContext: { requestId, onRefused }, setResultProcessor }) {
      const asked = 'application/graphql-response+json'
      const type = request.headers.get('accept')?.includes(asked) ? asked : 'application/json'
      setResultProcessor(async (result, { Response }) => {
        const { meter, held } = operationStates.get(request) ?? {}
        const present = (of: unknown) => presentResult(of, { log, docUrls, requestId })
        let presented = present(result)
        let text = await write(presented, meter?.length() ?? 0)
        if (!text) {
          const refusal = responseTooLong()
          presented = present({ errors: [new GraphQLError(refusal.message, { cause: refusal })] })
          text = Buffer.from(JSON.stringify(presented.body))
        }
        held?.releaseShared()
        const { status, headers, refused } = presented
        if (refused) onRefused(refused)
        return new Response(text, { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } })
      }, type)
    },
  }
}
