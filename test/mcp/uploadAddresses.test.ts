import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { deleteFile } from '../../src/domain/files/deleteFile.ts'
import type { SpooledUpload } from '../../src/domain/files/spoolUpload.ts'
import { storeUpload } from '../../src/domain/files/storeUpload.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { traces } from '../support/http/uploads.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

async function anAddress(given: object = {}) {
  const agent = await anAgent(services)
  const { call } = await agentClient(app, agent.value)
  const { body } = await call('upload_file', { ...given })
  const { uploadUrl, expiresAt, fileId } = body as unknown as { uploadUrl: string; expiresAt: string; fileId: string }
  return { agent, call, uploadUrl, expiresAt, fileId }
}

type Sent = { method?: string; body?: BodyInit; headers?: Record<string, string> }

async function send(url: string, { method = 'PUT', body = new Uint8Array(pixel), headers = {} }: Sent = {}) {
  const response = await fetch(url, { method, body, headers })
  const answer = (await response.json()) as { fileId?: string; mimeType?: string; error?: { code: string; details?: unknown } }
  return { status: response.status, code: answer.error?.code, answer }
}

const form = () => {
  const parts = new FormData()
  parts.set('file', new Blob([new Uint8Array(pixel)]))
  return parts
}

test.each<[string, Sent]>([
  ['PUT', {}],
  ['PUT with another content type', { headers: { 'content-type': 'text/plain' } }],
  ['POST', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['POST of a form', { method: 'POST', body: form() }],
])('one %s to the address of upload_file completes the file, and the agent uses it', async (_how, sent) => {
  const { call, uploadUrl, expiresAt, fileId } = await anAddress()
  expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(600_000)
  expect((await call('start_generation', { familyId: 'sandbox-image', imageIds: [fileId] })).body.error.code).toBe('file_not_found')
  expect(await send(uploadUrl, sent)).toMatchObject({ status: 201, answer: { fileId, mimeType: 'image/png', state: 'ready' } })
  const started = await call('start_generation', { familyId: 'sandbox-image', imageIds: [fileId] })
  expect(started.body).toMatchObject({ inputs: { imageIds: [fileId] } })
})

test('an address takes one file: a second upload is refused, and of two at once one is stored', async () => {
  const { uploadUrl } = await anAddress()
  const both = await Promise.all([send(uploadUrl), send(uploadUrl)])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 404]))
  expect(await send(uploadUrl)).toMatchObject({ status: 404, code: 'not_found' })
})

test('an address takes no second file after the first was deleted, also when that upload had begun before', async () => {
  const { uploadUrl, fileId } = await anAddress()
  expect(await send(uploadUrl)).toMatchObject({ status: 201 })
  const { rows } = await services.pool.query<{ ownerId: string }>('select owner_id as "ownerId" from files where id = $1', [fileId])
  const ownerId = rows[0]?.ownerId ?? ''
  await deleteFile(aServiceContext(services), undefined, fileId)
  expect(await send(uploadUrl)).toMatchObject({ status: 404, code: 'not_found' })
  const received = { path: '/nowhere', sizeBytes: 1, sha256: '0'.repeat(64) } as unknown as SpooledUpload
  const found = { ok: 'likely', type: 'image', mimeType: 'image/png' } as const
  const late = storeUpload(
    aServiceContext(services),
    { ownerId, userId: null },
    { id: fileId, received, declaredMimeType: undefined, found },
  )
  await expect(late).rejects.toMatchObject({ code: 'not_found' })
  expect((await services.pool.query('select from files where id = $1', [fileId])).rowCount).toBe(0)
})

test('an expired, altered or unknown address is not found, and so is that of a key that has ended', async () => {
  const { uploadUrl } = await anAddress()
  const last = uploadUrl.at(-1) === 'A' ? 'B' : 'A'
  const unknown = `${app.origin}/u/${randomBytes(80).toString('base64url')}`
  for (const url of [`${uploadUrl.slice(0, -1)}${last}`, `${uploadUrl}A`, unknown, `${app.origin}/u/%00`])
    expect(['not_found', 'invalid_request']).toContain((await send(url)).code)
  const revoked = await anAddress()
  await revokeKey(aServiceContext(services), revoked.agent.key.id)
  expect(await send(revoked.uploadUrl)).toMatchObject({ status: 404, code: 'not_found' })
  const late = await anAddress()
  await clock.advance(limits.uploadAddressMinutes * 60_000)
  expect(await send(late.uploadUrl)).toMatchObject({ status: 404, code: 'not_found' })
})

test('hostile content is refused, stores nothing and leaves the address usable', async () => {
  const { uploadUrl } = await anAddress()
  const before = await traces(services)
  expect(await send(uploadUrl, { body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })).toMatchObject({ code: 'unsupported_file_format' })
  expect(await send(uploadUrl, { body: '' })).toMatchObject({ code: 'unsupported_file_format' })
  expect(await send(uploadUrl, { body: new Uint8Array(pixel.subarray(0, 40)) })).toMatchObject({ code: 'file_processing_failed' })
  expect(await send(uploadUrl, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ code: 'unsupported_content_type' })
  expect(await send(uploadUrl, { body: Buffer.alloc(limits.fileBytes + 1) })).toMatchObject({ status: 413, code: 'payload_too_large' })
  expect(await traces(services)).toEqual(before)
  expect(await send(uploadUrl)).toMatchObject({ status: 201 })
})

test('content that differs from the declared type is refused, and other methods are', async () => {
  const { uploadUrl } = await anAddress({ mimeType: 'video/mp4' })
  expect(await send(uploadUrl)).toMatchObject({ code: 'unsupported_file_format' })
  expect(await app.ask(`GET //u/${uploadUrl.split('/').at(-1)}`)).toMatchObject({ status: 405, headers: { allow: 'PUT, POST' } })
})

test('a link or a path as an input leads to upload_file', async () => {
  const { call } = await anAddress()
  for (const id of ['https://a.example/x.png', 'photo.png', '/home/me/photo.png', 'data:image/png;base64,AAAA']) {
    const { error } = (await call('start_generation', { familyId: 'sandbox-image', imageIds: [id] })).body
    expect(error).toMatchObject({ code: 'file_not_found', hint: expect.stringContaining('upload_file') })
  }
})

test('an address stops with the subscription of the person', async () => {
  const { agent, uploadUrl } = await anAddress()
  await updateUser(aServiceContext(services), { id: agent.user.id, subscriptionActive: false })
  expect(await send(uploadUrl)).toMatchObject({ status: 404, code: 'not_found' })
})
