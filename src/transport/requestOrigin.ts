import type { FastifyRequest } from 'fastify'
import type { Origin } from '../domain/context.ts'

const userAgentCharactersMax = 200
/** A tool's own name for itself. No e-mail address of whoever uses it stands in the log. */
const toolForm = /^[\w .:/+-]{1,100}$/

/** Where a tool with the service token says what it is, for the audit log. */
const toolHeader = 'x-atelier-tool'

/** Where a request came from, as the audit log keeps it. `addressOf` gives the client's address as requests are counted. */
export function requestOrigin(request: FastifyRequest, addressOf: (request: FastifyRequest) => string): Origin {
  const { 'user-agent': userAgent, [toolHeader]: tool } = request.headers
  return {
    address: addressOf(request),
    userAgent: userAgent?.slice(0, userAgentCharactersMax) || null,
    requestId: request.id,
    tool: typeof tool === 'string' && toolForm.test(tool) ? tool : null,
  }
}
