import { type execute, GraphQLError, parse, type Source, validate } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { type CooperativeScheduler, makeCooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'
import type { Permit } from '../concurrency/fairSemaphore.ts'
import type { Actor } from '../domain/access/actor.ts'
import { contextFor, type Origin, type Services } from '../domain/context.ts'
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

/** What the endpoint knows of a request. Without an actor only the schema itself may be asked for. */
export type YogaServerContext = {
  actor: Actor | undefined
  origin: Origin
  mayIntrospect: boolean
  requestId: string
  shutdown: AbortSignal
  /** Aborts with a refusal when the client is gone. */
  disconnected: AbortSignal
  /** Counts so many more requests towards the caller's rate. Refusals: rate_limited. */
  countExtraRequests?: ((requests: number) => Promise<void>) | undefined
  /** Runs when the answer was sent, or the client is gone. */
  onResponseClosed(end: () => void): void
}

/** What is known of an operation while it is executed and its answer written. */
type OperationState = { meter?: OperationMeter; held?: Permit }

/** A kept document weighs up to 200 times its text: 40 MB at the very most. */
const cachedCharactersMax = 200_000

/** How long operations may compute in one turn of the event loop, all together. */
const sliceMs = 4

/** Longer answers are written in pieces. */
const shortCharacters = 100_000

/** Yoga over the schema, reduced to one JSON request at a time. */
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
    context: ({ actor, origin, request, shutdown }) => {
      const answer = makeResponseMeter(scheduler)
      operationStates.set(request, { meter: answer })
      return actor
        ? { context: contextFor(services, actor, origin), signal: AbortSignal.any([request.signal, shutdown]), answer }
        : { answer }
    },
  })
}

/** Documents are read and judged in turns: a flood of them leaves the event loop to other requests. */
function parseSchedulingPlugin(scheduler: CooperativeScheduler): Plugin<object, YogaServerContext> {
  return { onParams: () => scheduler.waitForSlice() }
}

/** Reads no more than the limits allow, and weighs what was read before any rule looks at it: some take a time that grows with the square. */
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

/** Each error prints what it is about, which may be most of a request. */
const errorsMax = 5

const tooDeep = new GraphQLError(`Brackets may stand ${documentLimits.nesting} deep in a document at most.`)

/** Every rule over whole documents has its place here. Yoga remembers verdicts by the names of the rules. */
const documentRules: Plugin<YogaServerContext> = {
  onValidate({ addValidationRule, context }) {
    addValidationRule(PlainStringsRule)
    addValidationRule(ShallowLiteralsRule)
    addValidationRule(context.actor ? NoSubscriptionRule : OnlyIntrospectionRule)
    if (!context.mayIntrospect) addValidationRule(NoIntrospectionRule)
  },
}

/** Executes within the limits of an operation. */
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

/** Every answer is one JSON document, whatever streams a client says that it takes. */
function jsonResponsePlugin(
  { log, docUrls }: Services,
  { scheduler, operationStates }: { scheduler: CooperativeScheduler; operationStates: WeakMap<Request, OperationState> },
): Plugin<object, YogaServerContext> {
  async function write({ body }: PresentedResult, length: number): Promise<Buffer<ArrayBuffer> | undefined> {
    // The usual answer is short, and fastest in one go.
    return length <= shortCharacters
      ? Buffer.from(JSON.stringify(body))
      : await serializeJson(body, { scheduler, bytesMax: responseBytesMax })
  }
  return {
    onResultProcess({ request, serverContext: { requestId }, setResultProcessor }) {
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
        const { status, headers } = presented
        return new Response(text, { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } })
      }, type)
    },
  }
}
