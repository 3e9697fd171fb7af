import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CredentialGateway = {
  url: string
  /** The credentials that are accepted from now on. */
  accept(...credentials: string[]): void
  /** Requests that were refused since the start. */
  refused(): number
  close(): Promise<void>
}

type GatewayOptions = {
  target: string
  /** The credential in the headers of a request. */
  credentialOf(headers: IncomingHttpHeaders): string | undefined
  /** Headers that the target gets instead. */
  replaces?: IncomingHttpHeaders
}

/** Forwards requests with an accepted credential to a fake server, and answers others with 403. */
export async function startCredentialGateway({ target, credentialOf, replaces = {} }: GatewayOptions): Promise<CredentialGateway> {
  let accepted: readonly string[] = []
  let refused = 0
  const server = createServer((request, response) => {
    if (!accepted.includes(credentialOf(request.headers) ?? '')) {
      refused += 1
      request.resume()
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>InvalidAccessKeyId</Code></Error>')
      return
    }
    const options = { method: request.method, headers: { ...request.headers, ...replaces } }
    const forwarded = sendRequest(new URL(request.url ?? '/', target), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accept: (...credentials) => {
      accepted = credentials
    },
    refused: () => refused,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
