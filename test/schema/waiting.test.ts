import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { serviceToken, testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

/** A generation that no worker runs, and a client that waits a minute for it over a real connection. */
async function aLongWait() {
  const { services, close } = await testServices()
  const { app } = await testEndpoint(services)
  onTestFinished(async () => {
    await app.close()
    await close()
  })
  const { context, spender } = await aTeamWithKey(services)
  const asked = { request: { familyId: 'sandbox-image', prompt: 'a boat' }, idempotencyKey: undefined }
  const { generation } = await startGeneration(context, spender, asked)
  const waiting = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const { subscribe } = services.notices
  services.notices = {
    isListening: () => true,
    subscribe(channel, id, callback) {
      const unsubscribe = subscribe(channel, id, callback)
      waiting.resolve()
      return () => {
        unsubscribe()
        ended.resolve()
      }
    },
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${serviceToken}`, 'content-type': 'application/json' }
  const client = request({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers, agent: false })
  const answer = Promise.withResolvers<{ status: number | undefined; body: string }>()
  client.on('error', answer.reject)
  client.on('response', async (response) => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    answer.resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() })
  })
  client.end(
    JSON.stringify({ query: `{ generation(id: "${String(generation['generationId'])}", waitSeconds: 60) { state pollAfterSeconds } }` }),
  )
  await waiting.promise
  return { app, client, ended: ended.promise, answer: answer.promise }
}

test('a wait ends when the client disconnects', async () => {
  const { client, ended, answer } = await aLongWait()
  client.destroy()
  await expect(answer).rejects.toThrow('socket hang up')
  await ended
})

test('at shutdown an open wait returns the present state', async () => {
  const { app, answer } = await aLongWait()
  await app.close()
  const { status, body } = await answer
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({ data: { generation: { state: 'QUEUED', pollAfterSeconds: expect.any(Number) } } })
})
