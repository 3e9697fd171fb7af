import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { newId } from '../../../src/contract/ids.ts'
import type { Services } from '../../../src/domain/context.ts'
import { type GraphqlOptions, graphqlRoutes } from '../../../src/graphql/graphqlRoutes.ts'
import { graphiql } from '../../../src/http/pages/graphiql.ts'

export const serviceToken = 'a-service-token-of-more-than-32-characters'

export type Answered = {
  status: number
  data: Record<string, unknown> | null | undefined
  errors: { message: string; path?: unknown; extensions: { code: string; details?: Record<string, unknown> } }[]
}

export type TestEndpoint = {
  app: FastifyInstance
  /** Sends one document as an internal tool, or with other headers. */
  ask(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answered>
  /** The data of an answer without errors. */
  dataOf<Data = Record<string, unknown>>(query: string, variables?: Record<string, unknown>): Promise<Data>
  /** Sends any body with any headers. */
  send(payload: string | Buffer, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

/** Only this endpoint on a Fastify instance. */
export async function testEndpoint(services: Services, options: Partial<GraphqlOptions> = {}): Promise<TestEndpoint> {
  const app = Fastify({ genReqId: () => newId('req') })
  await graphqlRoutes(services, { serviceToken, allowLocalIntrospection: false, pages: graphiql(), ...options }).plugin(app)
  const asTool = { authorization: `Bearer ${serviceToken}`, 'content-type': 'application/json' }
  const send: TestEndpoint['send'] = (payload, headers = {}) =>
    app.inject({ method: 'POST', url: '/graphql', payload, headers: { ...asTool, ...headers } })
  const ask: TestEndpoint['ask'] = async (query, variables = {}, headers = {}) => {
    const response = await send(JSON.stringify({ query, variables }), headers)
    const { data, errors = [] } = response.json()
    return { status: response.statusCode, data, errors }
  }
  return {
    app,
    send,
    ask,
    async dataOf<Data>(query: string, variables?: Record<string, unknown>) {
      const { data, errors } = await ask(query, variables)
      if (errors.length > 0) throw new Error(JSON.stringify(errors))
      return data as Data
    },
  }
}
