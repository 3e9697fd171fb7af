import { execute } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Actor } from '../domain/access/actor.ts'
import { contextFor, type Services } from '../domain/context.ts'
import type { SchemaContext } from './context.ts'
import { OnlyIntrospectionRule, PlainStringsRule } from './documentRules.ts'
import { presentError } from './presentError.ts'
import { schema } from './schema.ts'

/** What the endpoint knows of a request. Without an actor only the schema itself may be asked for. */
export type Asked = { actor: Actor | undefined; requestId: string; shutdown: AbortSignal }

/** Yoga over the schema, reduced to one JSON request at a time. */
export function makeYoga(services: Services) {
  return createYoga<Asked, Partial<SchemaContext>>({
    schema,
    graphqlEndpoint: '/graphql',
    cors: false,
    multipart: false,
    batching: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    maxRequestBodySize: false,
    graphiql: { title: 'Atelier' },
    plugins: [documentRules(), ownExecute, shownErrors(services)],
    context: ({ actor, request, shutdown }) =>
      actor ? { context: contextFor(services, actor), signal: AbortSignal.any([request.signal, shutdown]) } : {},
  })
}

/** Every rule over whole documents has its place here. Yoga remembers verdicts by the names of the rules. */
function documentRules(): Plugin<Asked> {
  return {
    onValidate({ addValidationRule, context }) {
      addValidationRule(PlainStringsRule)
      if (!context.actor) addValidationRule(OnlyIntrospectionRule)
    },
  }
}

/** The executor that the doors inside the process use, so that both see the same. */
const ownExecute: Plugin = {
  onExecute({ setExecuteFn }) {
    setExecuteFn(execute)
  },
}

function shownErrors({ log }: Services): Plugin<object, Asked> {
  return {
    onResultProcess({ result, setResult, serverContext: { requestId } }) {
      if (!('errors' in result) || !result.errors) return
      const errors = result.errors.map((error) => presentError(error, { log, requestId }))
      setResult({ ...result, errors })
    },
  }
}
