import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'vitest'
import { compileCache } from '../../support/processes/compileCache.ts'

/** Runs `atelier health` with `env`; returns its exit code and output. */
function health(env: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/cli/main.ts', 'health'], { env: { ...compileCache, ...env } }, (error, _stdout, output) =>
      resolve({ code: Number(error?.code ?? 0), output }),
    )
  })
}

/** Starts an HTTP server that ends with the test; returns its port. */
async function startServer({ onTestFinished }: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return String((server.address() as AddressInfo).port)
}

const alive: RequestListener = (request, response) => response.writeHead(request.url === '/healthz' ? 200 : 404).end('{}')
const silent: RequestListener = () => undefined

describe.concurrent('the health of a process', () => {
  test('a process that answers /healthz is healthy, also when it listens on all addresses', async (context) => {
    context.expect(await health({ HOST: '0.0.0.0', PORT: await startServer(context, alive) })).toEqual({ code: 0, output: '' })
  })

  test('a process with two listeners is healthy when only the public one answers /healthz', async (context) => {
    const ports = {
      PUBLIC_PORT: await startServer(context, alive),
      INTERNAL_PORT: await startServer(context, (_request, response) => response.writeHead(404).end()),
    }
    context.expect(await health(ports)).toEqual({ code: 0, output: '' })
  })

  test('a process that accepts connections and never answers is unhealthy', async (context) => {
    const { code, output } = await health({ PORT: await startServer(context, silent) })
    context.expect(code).toBe(1)
    context.expect(output).toMatch(/^atelier: http:\/\/127\.0\.0\.1:\d+\/healthz does not answer: no answer within 4 s\n$/)
  })

  test('a closed port is unhealthy, reported in one line', async (context) => {
    context.expect(await health({ PORT: '1' })).toEqual({
      code: 1,
      output: 'atelier: http://127.0.0.1:1/healthz does not answer: connect ECONNREFUSED 127.0.0.1:1\n',
    })
  })
})
