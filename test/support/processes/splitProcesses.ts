import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type HttpOptions, startHttp } from '../../../src/cli/boot/httpRole.ts'
import { makeReadiness } from '../../../src/cli/boot/readiness.ts'
import { newId } from '../../../src/contract/ids.ts'
import type { Services } from '../../../src/domain/context.ts'
import type { App } from '../../../src/http/app.ts'
import { parseCidrs } from '../../../src/network/addresses.ts'

export type Side = { origin: string; port: number; drain(): Promise<void> }

export type SideOptions = {
  serves: 'public' | 'internal'
  internalUrl?: string
  serviceToken?: string
  trustedProxies?: string
  defaultUpstreamTimeouts?: HttpOptions['defaultUpstreamTimeouts']
  anonymousInProgressMax?: number
}

/** A process with only one side of a split deployment, until the end of the test. */
export async function aSide(
  services: Services,
  { serves, internalUrl, serviceToken, trustedProxies = '', defaultUpstreamTimeouts, anonymousInProgressMax }: SideOptions,
): Promise<Side> {
  const database = { kind: 'external', url: '' } as const
  const role = await startHttp(services, {
    config: { serviceToken, trustedProxies: parseCidrs(trustedProxies), database, internalUrl },
    listeners: [{ serves, host: '127.0.0.1', port: 0 }],
    processId: newId('proc'),
    readiness: makeReadiness(services),
    ...(defaultUpstreamTimeouts ? { defaultUpstreamTimeouts } : {}),
    ...(anonymousInProgressMax ? { anonymousInProgressMax } : {}),
  })
  onTestFinished(() => role.drain())
  const [app] = role.apps as [App]
  const { port } = app.fastify.server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, drain: () => role.drain() }
}

export type ForwardedRequest = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: string
  aborted: Promise<void>
}

/** Replaces the internal process: records requests except health checks, and answers as configured. */
export async function anInternalStub(
  answer: (response: ServerResponse, asked: ForwardedRequest) => void,
  healthz: (response: ServerResponse) => void = (response) => response.end(),
): Promise<{ origin: string; asked: ForwardedRequest[]; close(): void }> {
  const asked: ForwardedRequest[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return healthz(response)
    const aborted = new Promise<void>((resolve) => response.once('close', () => !response.writableFinished && resolve()))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers, rawHeaders } = request
    asked.push({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString(), aborted })
    return answer(response, asked.at(-1) as ForwardedRequest)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}
