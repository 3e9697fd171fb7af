import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBodyBudget } from '../../../src/http/limits/bodyBudget.ts'
import { opened } from '../../support/http/rawSocket.ts'

/** Takes bodies within a budget of ten bytes, six per client. `decided` records the outcome of each. */
async function taking() {
  const reserve = makeBodyBudget({ totalBytesMax: 10, clientBytesMax: 6, bodyBytesMax: 5 })
  const decided: string[] = []
  const server = createServer((request, response) => {
    const client = String(request.headers['x-client'])
    const refusal = reserve(client, request, response)
    decided.push(`${client} ${refusal?.code ?? 'taken'}`)
    if (refusal) response.end()
    else response.once('close', () => decided.push(`${client} gone`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const send = async (client: string, bytes: number, body = ''): Promise<Socket> => {
    const before = decided.length
    const socket = await opened(port)
    onTestFinished(() => void socket.destroy())
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Client: ${client}\r\nContent-Length: ${bytes}\r\n\r\n${body}`)
    await vi.waitFor(() => expect(decided.length).toBeGreaterThan(before))
    return socket
  }
  return { send, decided }
}

test('over the total, the oldest unfinished body of the client with the most bytes is evicted', async () => {
  const { send, decided } = await taking()
  await send('few', 2)
  await send('many', 3)
  await send('many', 3)
  await send('other', 4)
  await vi.waitFor(() => expect(decided).toEqual(['few taken', 'many taken', 'many taken', 'other taken', 'many gone']))
})

test('a client is limited to its own share, and each response releases memory', async () => {
  const { send, decided } = await taking()
  const first = await send('a', 4)
  await send('a', 3)
  expect(decided).toEqual(['a taken', 'a too_many_concurrent'])
  first.destroy()
  await vi.waitFor(() => expect(decided).toContain('a gone'))
  await send('a', 5)
  expect(decided.at(-1)).toBe('a taken')
})

test('when all bodies are complete and wait for responses, a further one is refused', async () => {
  const { send, decided } = await taking()
  await send('a', 5, '12345')
  await send('b', 5, '12345')
  await vi.waitFor(() => expect(decided).toEqual(['a taken', 'b taken']))
  await send('c', 1)
  expect(decided.at(-1)).toBe('c service_unavailable')
})
