import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { type TestEndpoint, testEndpoint } from '../support/http/graphql.ts'
import { sampleFile, sampleHeight, sampleWidth } from '../support/media/sampleFile.ts'
import { type TestServices, testServices } from '../support/services.ts'

let own: TestServices
let endpoint: TestEndpoint
let owner: TeamWithKey
let base64: string

beforeAll(async () => {
  own = await testServices()
  endpoint = await testEndpoint(own.services)
  owner = await aTeamWithKey(own.services)
  base64 = (await sampleFile('png')).toString('base64')
})
afterAll(async () => {
  await endpoint.app.close()
  await own.close()
})

const upload = /* GraphQL */ `
  mutation ($input: UploadFileInput!) {
    uploadFile(input: $input) { fileId state type mimeType sizeBytes width height durationSeconds usableIn pollAfterSeconds error createdAt expiresAt json }
  }
`

async function refusal(input: object) {
  const { data, errors } = await endpoint.ask(upload, { input })
  return { data, code: errors[0]?.extensions.code, details: errors[0]?.extensions.details }
}

test('an internal tool uploads for a named team and reads the file', async () => {
  const { uploadFile } = await endpoint.dataOf<{ uploadFile: Record<string, unknown> }>(upload, {
    input: { teamId: owner.team.id, base64, mimeType: 'image/png' },
  })
  const { json, ...fields } = uploadFile
  const { file } = await endpoint.dataOf<{ file: Record<string, unknown> }>('query ($id: ID!) { file(id: $id) { json } }', {
    id: fields['fileId'],
  })

  expect(fields).toMatchObject({
    state: 'READY',
    type: 'IMAGE',
    mimeType: 'image/png',
    width: sampleWidth,
    height: sampleHeight,
    usableIn: ['imageIds'],
  })
  expect(json).toMatchObject({ fileId: fields['fileId'], state: 'ready', type: 'image', createdAt: fields['createdAt'] })
  expect(file).toEqual({ json })
})

test('the team owns the file', async () => {
  const { uploadFile } = await endpoint.dataOf<{ uploadFile: { fileId: string } }>(upload, { input: { teamId: owner.team.id, base64 } })
  const estimate = 'query ($input: GenerationInput!, $team: ID!) { estimate(input: $input, teamId: $team) { json } }'
  const input = { familyId: 'sandbox-image', imageIds: [uploadFile.fileId] }
  const stranger = await aTeamWithKey(own.services)

  expect((await endpoint.ask(estimate, { input, team: owner.team.id })).errors).toEqual([])
  expect((await endpoint.ask(estimate, { input, team: stranger.team.id })).errors[0]?.extensions.code).toBe('file_not_found')
})

test.each([
  ['no way', {}, ['url', 'required']],
  ['two ways', { base64: 'AAAA', url: 'https://example.com/a' }, ['base64', 'conflict']],
  ['bad base64', { base64: '!' }, ['base64', 'bad_format']],
  ['no type', { base64: 'AAAA', mimeType: 'png' }, ['mimeType', 'bad_format']],
  ['a foreign scheme', { url: 'file:///etc/passwd' }, ['url', 'bad_format']],
])('%s is refused', async (_what, input, [field, code]) => {
  const refused = await refusal({ teamId: owner.team.id, ...input })
  expect(refused).toMatchObject({ data: null, code: 'invalid_request', details: { issues: [{ path: [field], code }] } })
})

test.each([{}, { mimeType: 'image/png' }, 'text', 7, []])('content %j cannot be sent as JSON', async (content) => {
  const { errors } = await endpoint.ask(upload, { input: { teamId: owner.team.id, content } })
  expect(errors[0]?.extensions.code).toBe('invalid_request')
})

test('an upload without a team is refused, and an unknown team too', async () => {
  expect(await refusal({ base64 })).toMatchObject({ code: 'team_required' })
  expect(await refusal({ base64, teamId: 'team_01kabc5m1dexampleexample00' })).toMatchObject({ code: 'invalid_request' })
  expect((await endpoint.ask('{ file(id: "file_01kabc5m1dexampleexample00") { fileId } }')).errors[0]?.extensions.code).toBe(
    'file_not_found',
  )
})
