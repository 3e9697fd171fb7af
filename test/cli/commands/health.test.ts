import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'vitest'
import { compileCache } from '../../support/processes/compileCache.ts'

/** Runs `atelier health` with `env`; gives its exit code and what it said. */
function health(env: Record<string, string>): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/cli/main.ts', 'health'], { env: { ...compileCache, ...env } }, (error, _stdout, said) =>
      resolve({ code: Number(error?.code ?? 0), said }),
    )
  })
}

async function listening({ onTestFinished }: TestContext, answer: RequestListener): Promise<string> {
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
  test('one that answers /healthz is well, wherever it was told to listen', async (context) => {
    context.expect(await health({ HOST: '0.0.0.0', PORT: await listening(context, alive) })).toEqual({ code: 0, said: '' })
  })

  test('of two listeners one answer is enough: the internal one has no /healthz', async (context) => {
    const ports = {
      PUBLIC_PORT: await listening(context, alive),
      INTERNAL_PORT: await listening(context, (_request, response) => response.writeHead(404).end()),
    }
    context.expect(await health(ports)).toEqual({ code: 0, said: '' })
  })

  test('one that takes connections and never answers is not well', async (context) => {
    const { code, said } = await health({ PORT: await listening(context, silent) })
    context.expect(code).toBe(1)
    context.expect(said).toMatch(/^atelier: http:\/\/127\.0\.0\.1:\d+\/healthz does not answer: nothing for 4 s\n$/)
  })

  test('where nothing listens nothing is well, in one line', async (context) => {
    context.expect(await health({ PORT: '1' })).toEqual({
      code: 1,
      said: 'atelier: http://127.0.0.1:1/healthz does not answer: connect ECONNREFUSED 127.0.0.1:1\n',
    })
  })
})
