import { afterAll, expect, test } from 'vitest'
import { createServiceToken } from '../../src/domain/access/serviceTokens.ts'
import { removeTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { blackPng } from '../support/media/blackPng.ts'
import { aMember, asPerson } from '../support/people/sessions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const own = await aTeamWithKey(services)
const teamId = own.team.id
const admin = await aMember(services, { teamId, role: 'admin' })
const png = new Uint8Array(blackPng({ width: 8, height: 8 }))

async function asked(userId: string, query: string) {
  const { body } = await app.ask('POST //graphql', { headers: await asPerson(services, { userId }), body: { query } })
  return body as unknown as { data: never; errors?: { extensions: { code: string } }[] }
}

async function anAddress(userId: string, input = `teamId: "${teamId}"`) {
  const { data, errors } = await asked(userId, `mutation { createUploadAddress(input: { ${input} }) { uploadUrl fileId expiresAt } }`)
  return {
    ...(data as { createUploadAddress: { uploadUrl: string; fileId: string } } | null)?.createUploadAddress,
    code: errors?.[0]?.extensions.code,
  }
}

const put = (url: string | undefined, body: BodyInit = png) => fetch(url ?? '', { method: 'PUT', body })

test('a person uploads a file to the address, and runs a model with it', async () => {
  const { uploadUrl, fileId } = await anAddress(admin.id)
  const response = await put(uploadUrl)
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ fileId, state: 'ready', width: 8 })
  expect((await put(uploadUrl)).status).toBe(404)
  const run = `mutation { startGeneration(teamId: "${teamId}", input: { familyId: "sandbox-image", prompt: "a boat", imageIds: ["${fileId}"] }) { generation { source } } }`
  expect(await asked(own.user.id, run)).toMatchObject({ data: { startGeneration: { generation: { source: 'EDITOR' } } } })
})

test('content of another type than the declared one is refused, and the address takes the right one', async () => {
  const { uploadUrl } = await anAddress(admin.id, `teamId: "${teamId}", mimeType: "image/jpeg"`)
  expect((await put(uploadUrl)).status).toBe(415)
  expect((await put(uploadUrl, 'no picture')).status).toBe(415)
})

test('only people who may run models of the team get an address, and it ends with that right', async () => {
  const member = await aMember(services, { teamId, role: 'member' })
  expect(await anAddress(member.id)).toMatchObject({ code: 'access_denied' })
  expect(await anAddress((await aTeamWithKey(services)).user.id)).toMatchObject({ code: 'access_denied' })
  const leaver = await aMember(services, { teamId, role: 'admin' })
  const { uploadUrl } = await anAddress(leaver.id)
  await removeTeamMember(tool, { teamId, userId: leaver.id })
  expect((await put(uploadUrl)).status).toBe(404)
})

test('an internal tool of one team names only a person, not the fields of an address for another team', async () => {
  const foreign = await aTeamWithKey(services)
  const { value } = await createServiceToken(tool, { name: 'one team', readOnly: false, teamIds: [teamId] })
  const askedFor = async (userId: string) => {
    const query = `mutation { createUploadAddress(input: { teamId: "${teamId}", userId: "${userId}" }) { uploadUrl } }`
    const { body } = await app.ask('POST //graphql', { headers: { authorization: `Bearer ${value}` }, body: { query } })
    return body
  }
  expect(await askedFor(admin.id)).toMatchObject({ data: { createUploadAddress: { uploadUrl: expect.any(String) } } })
  for (const userId of [`${foreign.user.id}|${foreign.team.id}|99999999999999||`, 'user_01m86m4yvyfq9v4jsx25v38zy3'])
    expect(await askedFor(userId)).toMatchObject({ errors: [{ extensions: { code: 'invalid_request' } }] })
})
