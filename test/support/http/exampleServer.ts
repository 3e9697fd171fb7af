import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Content = { examples?: Record<string, { $ref?: string; value?: unknown }> }
type Operation = { responses?: Record<string, { content?: Record<string, Content> }> }
type Document = { paths: Record<string, Record<string, Operation>>; components: { examples: Record<string, { value: unknown }> } }

export type AskedRequest = { line: string; type: string; body: string }

/** A server that answers each operation of an OpenAPI document with its first example of a success, and keeps what was asked. */
export async function exampleServer(document: unknown): Promise<{ origin: string; asked: AskedRequest[]; close(): Promise<void> }> {
  const asked: AskedRequest[] = []
  const server = createServer(async (request, response) => {
    const url = (request.url ?? '').replace(/^\/api\/v1/, '')
    asked.push({ line: `${request.method} ${url}`, type: String(request.headers['content-type']), body: await text(request) })
    const found = exampleOf(document as Document, `${request.method}`, url.replace(/\?.*/, ''))
    response.writeHead(found?.status ?? 404, { 'Content-Type': found?.type ?? 'application/json' })
    response.end(found?.body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return { origin: `http://127.0.0.1:${port}`, asked, close }
}

function exampleOf({ paths, components }: Document, method: string, path: string) {
  const matches = (pattern: string) => new RegExp(`^${pattern.replace('{id}', '(?!estimate$|batch$)[^/]+')}$`).test(path)
  const operation = Object.entries(paths).find(([pattern, methods]) => matches(pattern) && method.toLowerCase() in methods)?.[1]
  const success = Object.entries(operation?.[method.toLowerCase()]?.responses ?? {}).find(([status]) => status.startsWith('2'))
  if (!success) return undefined
  const [status, { content = {} }] = success
  const [type = 'application/json', { examples = {} } = {}] = Object.entries(content)[0] ?? []
  const values = Object.values(examples).map(({ $ref = '', value }) => value ?? components.examples[$ref.split('/').at(-1) ?? '']?.value)
  const ended = values.find((value) => (value as { state?: string }).state === 'ready') ?? values[0]
  const json = status === '204' ? '' : JSON.stringify(ended ?? {})
  return { status: Number(status), type, body: type === 'text/event-stream' ? `id: 1\nevent: generation\ndata: ${json}\n\n` : json }
}
