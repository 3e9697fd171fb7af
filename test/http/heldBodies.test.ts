import type { Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { exchange, opened } from '../support/http/rawSocket.ts'

const app = await testApp({ trustedProxies: '127.0.0.1', undescribed: true })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

const post = (path: string, { address, length, body = '' }: { address: string; length: number; body?: string }) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(app.origin).host}`,
    `Origin: ${app.origin}`,
    `Authorization: Bearer ${key}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    body,
  ].join('\r\n')
const signIn = '/auth/sign-in/email'
const largest = 262_144

/** A request with an unfinished body. */
async function unfinished(path: string, address: string): Promise<{ socket: Socket; isClosed(): boolean }> {
  const socket = await opened(app.port)
  onTestFinished(() => void socket.destroy())
  let closed = false
  socket.once('close', () => (closed = true))
  socket.write(post(path, { address, length: largest, body: '{' }))
  return { socket, isClosed: () => closed }
}

const statusOf = async (what: string) => (await exchange(app.port, what)).answers[0]?.status

test.each([signIn, '/api/v1/generations/estimate'])('a client may have 64 unfinished bodies of the largest size for %s', async (path) => {
  for (let n = 0; n < 64; n += 1) await unfinished(path, '192.0.2.1')
  await vi.waitFor(async () => expect(await statusOf(post(path, { address: '192.0.2.1', length: largest }))).toBe(429))
  const other = await exchange(app.port, post(signIn, { address: '192.0.2.2', length: 2, body: '{}' }))
  expect(other.answers).toMatchObject([{ status: 400 }])
})

test('over the total, the oldest request of the client with the most bytes is closed, and others are served', async () => {
  const held: { isClosed(): boolean }[] = []
  for (let client = 0; client < 8; client += 1)
    for (let n = 0; n < 60; n += 1) held.push(await unfinished(signIn, `192.0.2.${100 + client}`))
  await vi.waitFor(() => expect(held.filter(({ isClosed }) => !isClosed())).toHaveLength(256))
  const body = '{"familyId":"sandbox-image","prompt":"a lighthouse"}'
  expect(await statusOf(post('/api/v1/generations/estimate', { address: '192.0.2.1', length: body.length, body }))).toBe(200)
})

test('streamed bodies do not count: uploads and MCP messages', async () => {
  const held = await Promise.all(Array.from({ length: 70 }, () => unfinished('/api/v1/files', '192.0.2.1')))
  expect(await statusOf(post('/api/v1/generations/estimate', { address: '192.0.2.1', length: 2, body: '{}' }))).toBe(400)
  expect(held.filter(({ isClosed }) => isClosed())).toEqual([])
})
