import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { opened } from '../support/http/rawSocket.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

/** Sends the text in chunks of the given size; true when the connection was closed before the response. */
async function isCut(path: string, text: string, chunkBytes: number): Promise<boolean> {
  const socket = await opened(app.port)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const pieces = text.match(new RegExp(`.{1,${chunkBytes}}`, 'gs')) ?? []
  socket.write(head(path))
  for (const piece of pieces) socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  socket.write('0\r\n\r\n')
  const answered = new Promise<void>((resolve) =>
    socket.on('data', () => /HTTP\/1.1 \d+/.test(Buffer.concat(received).toString()) && resolve()),
  )
  const isAnswered = await Promise.race([closed.then(() => false), answered.then(() => true)])
  socket.destroy()
  return !isAnswered
}

const body = JSON.stringify({ familyId: 'sandbox-image', prompt: 'x'.repeat(5_000) })

test('a body in thousands of one-byte chunks closes the connection', async () => {
  expect(await isCut('/api/v1/generations/estimate', body, 1)).toBe(true)
})

test('a body in few chunks, however small, and a large one in many are served', async () => {
  expect(await isCut('/api/v1/generations/estimate', JSON.stringify({ familyId: 'sandbox-image', prompt: 'a boat' }), 1)).toBe(false)
  expect(await isCut('/api/v1/generations/estimate', body.padEnd(200_000), 128)).toBe(false)
})
