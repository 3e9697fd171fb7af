import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { removeTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { testApp } from '../../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'
import { aMember, asPerson } from '../../support/people/sessions.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const own = await aTeamWithKey(services)
const moves = generationTransitions(services)
const picture = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#336699' } })
  .png()
  .toBuffer()

async function aReady(familyId: string, content: Buffer, mimeType?: string): Promise<string> {
  const { body } = await app.ask('POST /generations', { key: own.value, body: { familyId, prompt: 'a boat' } })
  await moves.begin(body.generationId)
  await moves.gather(body.generationId)
  await moves.finish(body.generationId, content, mimeType)
  return String((await app.ask(`GET /generations/${body.generationId}`, { key: own.value })).body.result?.url)
}

async function linksOfFile(
  userId: string,
  fileId: string,
): Promise<{ thumbnailUrl: string | null; contentUrl: string | null } | undefined> {
  const query = `{ team(id: "${own.team.id}") { inputFiles(ids: ["${fileId}"]) { thumbnailUrl contentUrl } } }`
  const { body } = await app.ask('POST //graphql', { headers: await asPerson(services, { userId }), body: { query } })
  const { data } = body as unknown as { data: { team: { inputFiles: { thumbnailUrl: string | null; contentUrl: string | null }[] } } }
  return data.team.inputFiles[0]
}

const thumbnailOfFile = async (userId: string, fileId: string) => (await linksOfFile(userId, fileId))?.thumbnailUrl

test('the thumbnail of a result is a small JPEG, which browsers keep as long as the link works', async () => {
  const url = await aReady('sandbox-image', picture)
  const answer = await fetch(`${url}?preview=1`)
  const seconds = Number(/^private, max-age=(\d+)$/.exec(answer.headers.get('cache-control') ?? '')?.[1])
  expect(seconds).toBeGreaterThan(47 * 3600)
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect({ width, height, format }).toEqual({ width: 320, height: 160, format: 'jpeg' })
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
})

test('the thumbnail of a WAV file is its waveform, as a result and as an uploaded file', async () => {
  const wav = await sampleFile('wav')
  const { body } = await app.ask('POST /files', { key: own.value, body: { base64: wav.toString('base64') } })
  const ofFile = await thumbnailOfFile(own.user.id, body.fileId)
  for (const url of [`${await aReady('sandbox-audio', wav, 'audio/wav')}?preview=1`, String(ofFile)]) {
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect({ width, height }).toEqual({ width: 320, height: 160 })
  }
})

test('there is no thumbnail of other media, of broken images, and behind altered links', async () => {
  const sound = await aReady('sandbox-audio', Buffer.from('no sound'), 'audio/mpeg')
  const broken = await aReady('sandbox-image', Buffer.from('no picture'))
  for (const url of [sound, broken, `${broken.slice(0, -4)}AAAA`]) expect((await fetch(`${url}?preview=1`)).status).toBe(404)
  const mp3 = await sampleFile('mp3')
  const { body } = await app.ask('POST /files', { key: own.value, body: { base64: mp3.toString('base64') } })
  expect(await thumbnailOfFile(own.user.id, body.fileId)).toBeNull()
})

test('the thumbnail of an uploaded image is for people of the team alone, for 15 minutes', async () => {
  const { body } = await app.ask('POST /files', { key: own.value, body: { base64: picture.toString('base64') } })
  const leaver = await aMember(services, { teamId: own.team.id, role: 'member' })
  const [ownUrl, leaverUrl] = [await thumbnailOfFile(own.user.id, body.fileId), await thumbnailOfFile(leaver.id, body.fileId)]
  expect((await fetch(String(ownUrl))).status).toBe(200)
  expect((await fetch(String(ownUrl).replace('?preview=1', ''))).status).toBe(404)
  expect((await linksOfFile(own.user.id, body.fileId))?.contentUrl).toBeNull()
  expect((await fetch(String(leaverUrl))).status).toBe(200)
  await removeTeamMember(aServiceContext(services), { teamId: own.team.id, userId: leaver.id })
  expect((await fetch(String(leaverUrl))).status).toBe(404)
  const stranger = await aTeamWithKey(services)
  const other = await app.ask('POST /files', { key: stranger.value, body: { base64: picture.toString('base64') } })
  expect(await thumbnailOfFile(own.user.id, other.body.fileId)).toBeUndefined()
  await clock.advance(15 * 60_000)
  expect((await fetch(String(ownUrl))).status).toBe(404)
})

test('the content of an uploaded file without a thumbnail is for people of the team alone, for 15 minutes', async () => {
  const mp3 = await sampleFile('mp3')
  const { body } = await app.ask('POST /files', { key: own.value, body: { base64: mp3.toString('base64') } })
  const leaver = await aMember(services, { teamId: own.team.id, role: 'member' })
  const url = String((await linksOfFile(own.user.id, body.fileId))?.contentUrl)
  const leaverUrl = String((await linksOfFile(leaver.id, body.fileId))?.contentUrl)
  const answer = await fetch(url)
  expect(Buffer.from(await answer.arrayBuffer()).equals(mp3)).toBe(true)
  expect(answer.headers.get('content-type')).toBe('audio/mpeg')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${body.fileId}.mp3"`)
  expect((await fetch(url, { headers: { range: 'bytes=0-9' } })).headers.get('content-range')).toBe(`bytes 0-9/${mp3.length}`)
  expect((await fetch(`${url}?preview=1`)).status).toBe(404)
  expect((await fetch(leaverUrl)).status).toBe(200)
  await removeTeamMember(aServiceContext(services), { teamId: own.team.id, userId: leaver.id })
  expect((await fetch(leaverUrl)).status).toBe(404)
  await clock.advance(15 * 60_000)
  expect((await fetch(url)).status).toBe(404)
  const later = String((await linksOfFile(own.user.id, body.fileId))?.contentUrl)
  expect((await app.ask(`DELETE /files/${body.fileId}`, { key: own.value })).status).toBe(204)
  expect((await fetch(later)).status).toBe(404)
})

test('a file that is still processed, or was refused then, has no links', async () => {
  const mp3 = await sampleFile('mp3')
  const { body } = await app.ask('POST /files', { key: own.value, body: { base64: mp3.toString('base64') } })
  for (const state of ['processing', 'failed']) {
    await services.pool.query(
      `update files set state = $2, refusal = case $2 when 'failed' then '{"code":"file_processing_failed"}'::jsonb end where id = $1`,
      [body.fileId, state],
    )
    expect(await linksOfFile(own.user.id, body.fileId)).toEqual({ thumbnailUrl: null, contentUrl: null })
  }
})
