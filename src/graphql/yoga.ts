import { type execute, GraphQLError, parse, type Source, validate } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Held } from '../concurrency/fairBudget.ts'
import { makePacer, type Pacer } from '../concurrency/pacer.ts'
import type { Actor } from '../domain/access/actor.ts'
import { contextFor, type Origin, type Services } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { SchemaContext } from '../schema/context.ts'
import { schema } from '../schema/schema.ts'
import { tracedWithin } from '../tracing/tracing.ts'
import { answerTooLong, meterAnswer, type OperationMeter } from './answerMeter.ts'
import { makeDocumentCache } from './documentCache.ts'
import { answerBytes, documentLimits } from './documentLimits.ts'
import { NoIntrospectionRule, NoSubscriptionRule, OnlyIntrospectionRule, PlainStringsRule, ShallowLiteralsRule } from './documentRules.ts'
import { callerKind, makeMeasuredExecution } from './executeMeasured.ts'
import { nestsDeeper } from './nestsDeeper.ts'
import { type PresentedResult, presentResult } from './presentResult.ts'
import { weighDocument } from './weighDocument.ts'
import { writeJson } from './writeJson.ts'

/** What the endpoint knows of a request. Without an actor only the schema itself may be asked for. */
export type Asked = {
  actor: Actor | undefined
  origin: Origin
  mayIntrospect: boolean
  requestId: string
  shutdown: AbortSignal
  /** Aborts with a refusal when the client is gone. */
  left: AbortSignal
  /** Counts so many more requests towards the caller's rate. Refusals: rate_limited. */
  countMore?: ((requests: number) => Promise<void>) | undefined
  /** Runs when the answer was sent, or the client is gone. */
  onceSent(end: () => void): void
}

/** What is known of an operation while it is executed and its answer written. */
type InWork = { meter?: OperationMeter; held?: Held }

/** A kept document weighs up to 200 times its text: 40 MB at the very most. */
const keptCharacters = 200_000

/** How long operations may compute in one turn of the event loop, all together. */
const sliceMs = 4

/** Longer answers are written in pieces. */
const shortCharacters = 100_000

/** Yoga over the schema, reduced to one JSON request at a time. */
export function makeYoga(services: Services) {
  const pacer = makePacer(sliceMs)
  const inWork = new WeakMap<Request, InWork>()
  return createYoga<Asked, Partial<SchemaContext>>({
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
      documentCache: makeDocumentCache(keptCharacters),
      errorCache: { get: () => undefined, set: () => undefined },
    },
    plugins: [documentTurns(pacer), limitedDocuments, documentRules, ownExecute(inWork), ownAnswers(services, { pacer, inWork })],
    context: ({ actor, origin, request, shutdown }) => {
      const answer = meterAnswer(pacer)
      inWork.set(request, { meter: answer })
      return actor
        ? { context: contextFor(services, actor, origin), signal: AbortSignal.any([request.signal, shutdown]), answer }
        : { answer }
    },
  })
}

/** Documents are read and judged in turns: a flood of them leaves the event loop to other requests. */
function documentTurns(pacer: Pacer): Plugin<object, Asked> {
  return { onParams: () => pacer.rest() }
}

/** Reads no more than the limits allow, and weighs what was read before any rule looks at it: some take a time that grows with the square. */
const limitedDocuments: Plugin<Asked> = {
  onParse({ setParseFn }) {
    const { tokens: maxLexicalTokens, comments: maxComments, nesting } = documentLimits
    setParseFn((source: string | Source) => {
      if (nestsDeeper(typeof source === 'string' ? source : source.body, nesting)) throw tooDeep
      return parse(source, { maxLexicalTokens, maxComments })
    })
  },
  onValidate({ setValidationFn, context }) {
    setValidationFn((...[of, document, rules]: Parameters<typeof validate>) => {
      const refusal = weighDocument(of, document, callerKind(context.actor))
      return refusal ? [new GraphQLError(refusal.message, { cause: refusal })] : validate(of, document, rules, { maxErrors: errorsMax })
    })
  },
}

/** Each error prints what it is about, which may be most of a request. */
const errorsMax = 5

const tooDeep = new GraphQLError(`Brackets may stand ${documentLimits.nesting} deep in a document at most.`)

/** Every rule over whole documents has its place here. Yoga remembers verdicts by the names of the rules. */
const documentRules: Plugin<Asked> = {
  onValidate({ addValidationRule, context }) {
    addValidationRule(PlainStringsRule)
    addValidationRule(ShallowLiteralsRule)
    addValidationRule(context.actor ? NoSubscriptionRule : OnlyIntrospectionRule)
    if (!context.mayIntrospect) addValidationRule(NoIntrospectionRule)
  },
}

/** Executes within the limits of an operation. */
function ownExecute(inWork: WeakMap<Request, InWork>): Plugin<Asked> {
  const executeMeasured = makeMeasuredExecution()
  return {
    onExecute({ context, setExecuteFn }) {
      const { actor, left, countMore, onceSent, request } = context
      const work = inWork.get(request)
      invariant(work?.meter, 'every operation has a meter')
      const executed = (held: Held) => {
        work.held = held
        onceSent(held.release)
      }
      const operation = { actor, left, countMore, meter: work.meter, executed }
      setExecuteFn((asked: Parameters<typeof execute>[0]) => tracedWithin('graphql', {}, async () => executeMeasured(asked, operation)))
    },
  }
}

/** Every answer is one JSON document, whatever streams a client says that it takes. */
function ownAnswers(
  { log, docUrls }: Services,
  { pacer, inWork }: { pacer: Pacer; inWork: WeakMap<Request, InWork> },
): Plugin<object, Asked> {
  async function write({ body }: PresentedResult, length: number): Promise<Buffer<ArrayBuffer> | undefined> {
    // The usual answer is short, and fastest in one go.
    return length <= shortCharacters ? Buffer.from(JSON.stringify(body)) : await writeJson(body, { pacer, bytesMax: answerBytes })
  }
  return {
    onResultProcess({ request, serverContext: { requestId }, setResultProcessor }) {
      const asked = 'application/graphql-response+json'
      const type = request.headers.get('accept')?.includes(asked) ? asked : 'application/json'
      setResultProcessor(async (result, { Response }) => {
        const { meter, held } = inWork.get(request) ?? {}
        const present = (of: unknown) => presentResult(of, { log, docUrls, requestId })
        let presented = present(result)
        let text = await write(presented, meter?.length() ?? 0)
        if (!text) {
          const refusal = answerTooLong()
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
