import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { inputLink } from '../../src/domain/generations/links/inputLink.ts'
import { resultLink } from '../../src/domain/generations/links/resultLink.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { fileForm } from '../support/http/uploads.ts'
import { sampleFile } from '../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const moves = generationTransitions(services)
const content = await sampleFile('png')
const made = await aTeamWithKey(services)
const notFound = { status: 404, body: { error: { code: 'not_found', message: expect.any(String), retryable: false } } }

async function someWork(key = made.value): Promise<string> {
  const { fileId } = (await app.ask('POST /files', { key, ...fileForm(content) })).body
  const body = { familyId: 'sandbox-image', prompt: 'a lighthouse', imageIds: [fileId] }
  const { generationId } = (await app.ask('POST /generations', { key, body })).body
  await moves.begin(generationId)
  return generationId
}

/** The path of the link on the test server; its origin is the public one. */
function linkTo(generationId: string, { attempt = 1, index = 0 } = {}): string {
  return inputLink(services, { generationId, attempt, index }).replace(services.settings.publicUrl, app.origin)
}

test('a vendor gets the bytes of the input without a key, and caches may not store them', async () => {
  const id = await someWork()
  const answer = await fetch(linkTo(id))

  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(content.length),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  })
  expect((await app.ask(`HEAD ${linkTo(id)}`)).status).toBe(200)
})

test('vendors may fetch an input in ranges; its entity tag is not its digest', async () => {
  const link = linkTo(await someWork())
  const part = await fetch(link, { headers: { range: 'bytes=10-19' } })
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, content.subarray(10, 20)])
  expect(part.headers.get('etag')).not.toContain(createHash('sha256').update(content).digest('hex'))
})

test('a link stops working when the generation ends and after an hour, and is invalid for other attempts and inputs', async () => {
  const id = await someWork()
  const link = linkTo(id)
  for (const other of [linkTo(id, { attempt: 2 }), linkTo(id, { index: 1 })]) expect(await app.ask(`GET ${other}`)).toMatchObject(notFound)
  const now = clock.now()
  await clock.advance(3_600_000)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
  await clock.set(now)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
  await moves.fail(id)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
})

test('a link with any changed character is invalid', async () => {
  const link = linkTo(await someWork())
  const from = link.lastIndexOf('/') + 1
  for (let index = from; index < link.length; index += 9) {
    const altered = `${link.slice(0, index)}${link[index] === 'A' ? 'B' : 'A'}${link.slice(index + 1)}`
    expect(await app.ask(`GET ${altered}`)).toMatchObject(notFound)
  }
})

test('a link to an input opens no result, and a link to a result no input', async () => {
  const id = await someWork()
  const ofInput = linkTo(id)
  const ofResult = resultLink(services, { generationId: id, holder: { kind: 'service' } }).url.replace(
    services.settings.publicUrl,
    app.origin,
  )
  expect(await app.ask(`GET ${ofResult}`)).toMatchObject(notFound)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('the result'))

  expect((await app.ask(`GET ${ofResult}`)).text).toBe('the result')
  expect(await app.ask(`GET ${ofInput}`)).toMatchObject(notFound)
})

test('a link still works after the key that started the work is revoked', async () => {
  const own = await aTeamWithKey(services)
  const link = linkTo(await someWork(own.value))
  await revokeKey(aServiceContext(services), own.key.id)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
})
