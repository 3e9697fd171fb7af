import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { type InputGrant, inputLink, openInputLink } from '../../../../src/domain/generations/links/inputLink.ts'
import { resultLink } from '../../../../src/domain/generations/links/resultLink.ts'
import { makeKeyRing } from '../../../../src/secrets/keyRing.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { endAtOnce, generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { fileForm } from '../../../support/http/uploads.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const moves = generationTransitions(services)
const notFound = { code: 'not_found' }

async function aStart(made: TeamWithKey, fields: object): Promise<string> {
  const body = { familyId: 'sandbox-image', prompt: 'a lighthouse', ...fields }
  const { body: answer } = await app.ask('POST /generations', { key: made.value, body })
  return answer.generationId
}

/** Running work with two inputs. */
async function someWork(made: TeamWithKey) {
  const contents = [await sampleFile('png'), await sampleFile('jpeg')]
  const imageIds: string[] = []
  for (const content of contents) imageIds.push((await app.ask('POST /files', { key: made.value, ...fileForm(content) })).body.fileId)
  const id = await aStart(made, { imageIds })
  await moves.begin(id)
  return { id, contents }
}

const made = await aTeamWithKey(services)
const tokenFor = (grant: Partial<InputGrant> & { generationId: string }) =>
  inputLink(services, { attempt: 1, index: 0, ...grant }).replace(/^.*\/r\//, '')
const open = (grant: Partial<InputGrant> & { generationId: string }) => openInputLink(services, tokenFor(grant))

test('a link opens one input and reveals nothing about the work or its owner', async () => {
  const { id, contents } = await someWork(made)
  for (const [index, content] of contents.entries()) {
    const input = await open({ generationId: id, index })
    expect(input).toMatchObject({ generationId: id, sizeBytes: content.length, mimeType: index === 0 ? 'image/png' : 'image/jpeg' })
    expect(await buffer(await services.storage.open(input?.storageKey ?? ''))).toEqual(content)
  }
  const plain = Buffer.from(tokenFor({ generationId: id }), 'base64url').toString('latin1')
  for (const secret of [id, made.team.id, made.key.id, made.value]) expect(plain).not.toContain(secret)
})

test('an index without an input is not found', async () => {
  const { id } = await someWork(made)
  for (const index of [2, -1, 0.5, Number.NaN]) await expect(open({ generationId: id, index })).rejects.toMatchObject(notFound)
  await expect(open({ generationId: await aStart(made, {}) })).rejects.toMatchObject(notFound)
  await expect(open({ generationId: id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })).rejects.toMatchObject(notFound)
})

test('a link expires after an hour', async () => {
  const { id } = await someWork(made)
  const token = tokenFor({ generationId: id })
  const now = clock.now()
  await clock.advance(3_600_000 - 1000)
  expect(await openInputLink(services, token)).toBeDefined()
  await clock.advance(1000)
  await expect(openInputLink(services, token)).rejects.toMatchObject(notFound)
  await clock.set(now)
})

test.each([
  [
    'ready',
    {
      to: 'ready',
      result: { storageKey: 'k', mimeType: 'image/png', sizeBytes: 1, sha256: 'a', width: 1, height: 1, durationSeconds: null },
    },
  ],
  ['failed', { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } }],
  ['cancelled', { to: 'cancelled', charged: true }],
] as const)('a link expires when its work is %s', async (_, end) => {
  const { id } = await someWork(made)
  const token = tokenFor({ generationId: id })
  expect(await openInputLink(services, token)).toBeDefined()
  await endAtOnce(aServiceContext(services), id, end)
  await expect(openInputLink(services, token)).rejects.toMatchObject(notFound)
})

test('a link expires when another attempt starts', async () => {
  const { id } = await someWork(made)
  const ofFirst = tokenFor({ generationId: id })
  await expect(open({ generationId: id, attempt: 2 })).rejects.toMatchObject(notFound)
  await services.pool.query('update generations set attempt = 2 where id = $1', [id])
  await expect(openInputLink(services, ofFirst)).rejects.toMatchObject(notFound)
  expect(await open({ generationId: id, attempt: 2 })).toBeDefined()
})

test('a link does not depend on a key: it stays valid after the key is revoked', async () => {
  const own = await aTeamWithKey(services)
  const { id } = await someWork(own)
  const token = tokenFor({ generationId: id })
  await revokeKey(aServiceContext(services), own.key.id)
  expect(await openInputLink(services, token)).toBeDefined()
})

test('a token that is altered, for a result, or of another service is not an input link', async () => {
  const { id } = await someWork(made)
  const token = tokenFor({ generationId: id })
  const altered = [...token].map((letter, index) => (index === 40 ? (letter === 'A' ? 'B' : 'A') : letter)).join('')
  const ofResult = resultLink(services, { generationId: id, holder: { kind: 'service' } }).url.replace(/^.*\/r\//, '')
  for (const each of [altered, `${token}A`, `${token}=`, token.slice(0, -1), '', ofResult]) {
    expect(await openInputLink(services, each)).toBeUndefined()
  }
  expect(await openInputLink({ ...services, ring: makeKeyRing([randomBytes(32)]) }, token)).toBeUndefined()
})
