import type { FastifyRequest } from 'fastify'
import type { Origin } from '../domain/context.ts'

const userAgentCharactersMax = 200
/** The name of a tool. It cannot contain an @, so that no e-mail address of its user gets into the log. */
const toolForm = /^[\w .:/+-]{1,100}$/

/** The header in which a tool with the service token gives its name, for the audit log. */
const toolHeader = 'x-atelier-tool'

/** Returns the origin of a request for the audit log. `addressOf` returns the client address, the same one as for rate limits. */
export function requestOrigin(request: FastifyRequest, addressOf: (request: FastifyRequest) => string): Origin {
  const { 'user-agent': userAgent, [toolHeader]: tool } = request.headers
  return {
    address: addressOf(request),
    userAgent: userAgent?.slice(0, userAgentCharactersMax) || null,
    requestId: request.id,
    tool: typeof tool === 'string' && toolForm.test(tool) ? tool : null,
  }
}
