import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, onTestFinished, TestRunner } from 'vitest'
import { faultsOf, isInOpenapi, type SeenResponse } from './responseConformance.ts'

/** Collects violations of the OpenAPI document and fails the running test. */
export function watchResponses(fastify: FastifyInstance): void {
  const faults: string[] = []
  const look = (seen: SeenResponse) => {
    for (const fault of faultsOf(seen))
      faults.push(`${seen.method} ${seen.url.slice(0, 200)} → ${seen.status}: ${fault}; ${seen.body.slice(0, 300)}`)
  }
  const tell = () => {
    if (faults.length > 0) throw new Error(faults.splice(0).join('\n'))
  }
  if (TestRunner.getCurrentTest()) onTestFinished(tell)
  else afterEach(tell)

  const inject = fastify.inject.bind(fastify) as (
    options: InjectOptions,
  ) => Promise<{ statusCode: number; headers: object; payload: string }>
  const watched = async (options: InjectOptions & { url: string }) => {
    const response = await inject(options)
    const headers = response.headers as SeenResponse['headers']
    look({ method: options.method ?? 'GET', url: options.url, status: response.statusCode, headers, body: response.payload })
    return response
  }
  fastify.inject = watched as unknown as typeof fastify.inject
  fastify.server.prependListener('request', (request, response) => {
    if (isInOpenapi(request.url ?? '')) recordBody(request, response, look)
  })
}

/** Watches responses over real connections, inside the server. */
function recordBody(request: IncomingMessage, response: ServerResponse, look: (seen: SeenResponse) => void): void {
  const chunks: Buffer[] = []
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse
  const write = response.write.bind(response) as (...values: unknown[]) => boolean
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse
  let headers: SeenResponse['headers'] = {}
  // Fastify sets the headers just before sending.
  response.writeHead = (status: number, ...rest: unknown[]) => {
    headers = namesInLowerCase({ ...response.getHeaders(), ...(rest.at(-1) as object | undefined) })
    return writeHead(status, ...rest)
  }
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk)
    return write(chunk, ...rest)
  }) as typeof response.write
  response.end = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk)
    return end(chunk, ...rest)
  }) as typeof response.end
  response.once('finish', () => {
    look({
      method: request.method ?? '',
      url: request.url ?? '',
      status: response.statusCode,
      headers,
      body: Buffer.concat(chunks).toString(),
    })
  })
}

function namesInLowerCase(headers: object): SeenResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}
