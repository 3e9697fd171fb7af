import { execute, GraphQLError, parse, type Source, validate } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Actor } from '../domain/access/actor.ts'
import { contextFor, type Origin, type Services } from '../domain/context.ts'
import type { SchemaContext } from '../schema/context.ts'
import { schema } from '../schema/schema.ts'
import { tracedWithin } from '../tracing/tracing.ts'
import { makeDocumentCache } from './documentCache.ts'
import { documentLimits } from './documentLimits.ts'
import { NoIntrospectionRule, NoSubscriptionRule, OnlyIntrospectionRule, PlainStringsRule, ShallowLiteralsRule } from './documentRules.ts'
import { presentResult } from './presentResult.ts'
import { weighDocument } from './weighDocument.ts'

/** What the endpoint knows of a request. Without an actor only the schema itself may be asked for. */
export type Asked = { actor: Actor | undefined; origin: Origin; mayIntrospect: boolean; requestId: string; shutdown: AbortSignal }

/** A kept document weighs up to 200 times its text: 40 MB at the very most. */
const keptCharacters = 200_000

/** Yoga over the schema, reduced to one JSON request at a time. */
export function makeYoga(services: Services) {
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
    plugins: [limitedDocuments, documentRules, ownExecute, ownAnswers(services)],
    context: ({ actor, origin, request, shutdown }) =>
      actor ? { context: contextFor(services, actor, origin), signal: AbortSignal.any([request.signal, shutdown]) } : {},
  })
}

/** Reads no more than the limits allow, and weighs what was read before any rule looks at it: some take a time that grows with the square. */
const limitedDocuments: Plugin<Asked> = {
  onParse({ setParseFn }) {
    const { tokens: maxLexicalTokens, comments: maxComments } = documentLimits
    setParseFn((source: string | Source) => parse(source, { maxLexicalTokens, maxComments }))
  },
  onValidate({ setValidationFn }) {
    setValidationFn((...[of, document, rules]: Parameters<typeof validate>) => {
      const refusal = weighDocument(of, document)
      return refusal ? [new GraphQLError(refusal.message, { cause: refusal })] : validate(of, document, rules)
    })
  },
}

/** Every rule over whole documents has its place here. Yoga remembers verdicts by the names of the rules. */
const documentRules: Plugin<Asked> = {
  onValidate({ addValidationRule, context }) {
    addValidationRule(PlainStringsRule)
    addValidationRule(ShallowLiteralsRule)
    addValidationRule(context.actor ? NoSubscriptionRule : OnlyIntrospectionRule)
    if (!context.mayIntrospect) addValidationRule(NoIntrospectionRule)
  },
}

/** The executor that the doors inside the process use, so that both see the same. */
const ownExecute: Plugin = {
  onExecute({ setExecuteFn }) {
    setExecuteFn((asked: Parameters<typeof execute>[0]) => tracedWithin('graphql', {}, async () => execute(asked)))
  },
}

/** Every answer is one JSON document, whatever streams a client says that it takes. */
function ownAnswers({ log, docUrls }: Services): Plugin<object, Asked> {
  return {
    onResultProcess({ request, serverContext: { requestId }, setResultProcessor }) {
      const asked = 'application/graphql-response+json'
      const type = request.headers.get('accept')?.includes(asked) ? asked : 'application/json'
      setResultProcessor((result, { Response }) => {
        const { status, headers, body } = presentResult(result, { log, docUrls, requestId })
        return new Response(JSON.stringify(body), { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } })
      }, type)
    },
  }
}
