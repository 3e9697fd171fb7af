import { execute, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { schema } from '../../../src/schema/schema.ts'
import { testApp } from '../../support/app.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../../support/factories.ts'
import { fileForm } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const [png, wav] = [await sampleFile('png'), await sampleFile('wav')]

const upload = async (key: string, content = png) => String((await app.ask('POST /files', { key, ...fileForm(content) })).body.fileId)
const list = (key: string, query = '') => app.ask(`GET /files${query}`, { key })
const ids = async (key: string, query = '') => (await list(key, query)).body.items.map(({ fileId }) => fileId)

test('files are listed newest first, in the shape of GET, and filtered by type and use', async () => {
  const { value: key } = await aTeamWithKey(services)
  expect(await list(key)).toMatchObject({ status: 200, body: { items: [], nextCursor: null } })
  const image = await upload(key)
  const sound = await upload(key, wav)
  const used = await upload(key)
  const start = { familyId: 'sandbox-image', prompt: 'x', imageIds: [used] }
  expect(await app.ask('POST /generations', { key, body: start })).toMatchObject({ status: 201 })
  expect(await ids(key)).toEqual([used, sound, image])
  expect(await ids(key, '?type=image')).toEqual([used, image])
  expect(await ids(key, '?type=audio&unused=true')).toEqual([sound])
  expect(await ids(key, '?unused=true')).toEqual([sound, image])
  expect(await ids(key, '?unused=false&type=video')).toEqual([])
  const [first] = (await list(key)).body.items
  expect(first).toEqual((await app.ask(`GET /files/${used}`, { key })).body)
  await app.ask(`DELETE /files/${image}`, { key })
  expect(await ids(key)).toEqual([used, sound])
})

test('pages contain each file once; expired files are not listed', async () => {
  const { value: key, team } = await aTeamWithKey(services)
  const uploaded: string[] = []
  for (let count = 0; count < 5; count++) uploaded.push(await upload(key))
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(key, `?limit=2&unused=true${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.items.map(({ fileId }) => fileId))
    cursor = body.nextCursor
  }
  expect(seen).toEqual(uploaded.toReversed())
  await services.pool.query(`update files set expires_at = present() - interval '1 second' where owner_id = $1 and id = $2`, [
    team.id,
    uploaded[0],
  ])
  expect(await ids(key)).toEqual(uploaded.slice(1).toReversed())
})

test('a cursor belongs to its team and filter; faulty queries are refused', async () => {
  const { value: key } = await aTeamWithKey(services)
  const stranger = await aTeamWithKey(services)
  for (let count = 0; count < 2; count++) await upload(key)
  const { nextCursor } = (await list(key, '?limit=1&type=image')).body
  for (const query of [`?cursor=${nextCursor}`, `?type=audio&cursor=${nextCursor}`, '?cursor=', '?cursor=abc']) {
    expect(await list(key, query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } })
  }
  expect((await list(stranger.value, `?type=image&cursor=${nextCursor}`)).status).toBe(400)
  for (const [query, path] of [
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['type=text', 'type'],
    ['unused=1', 'unused'],
    ['state=ready', 'state'],
  ]) {
    expect(await list(key, `?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path] }] } } },
    })
  }
})

test('a list needs a key with files:write, and has only files of the team', async () => {
  const own = await aTeamWithKey(services)
  const other = await aTeamWithKey(services)
  await upload(own.value)
  expect(await ids(other.value)).toEqual([])
  const asked = { teamId: own.team.id, userId: own.user.id, name: 'reader', scopes: ['generations:read' as const] }
  expect(await list((await issueKey(operator, asked)).value)).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope' } },
  })
  expect(await app.ask('GET /files')).toMatchObject({ status: 401 })
})

test('members read the files of their team as a connection, in both directions', async () => {
  const { value: key, team } = await aTeamWithKey(services)
  const member = await aUser(services)
  await setTeamMember(operator, { teamId: team.id, userId: member.id, role: 'member' })
  const uploaded = [await upload(key), await upload(key, wav), await upload(key)]
  const source = `query ($id: ID!, $first: Int, $last: Int, $after: String, $type: MediaType, $unused: Boolean) { team(id: $id) {
    files(first: $first, last: $last, after: $after, type: $type, unused: $unused) { nodes { fileId type } pageInfo { hasNextPage endCursor } } } }`
  const files = async (variables: object, userId = member.id) => {
    const contextValue = { context: contextFor(services, { kind: 'person', userId }), signal: new AbortController().signal }
    const answer = await execute({ schema, document: parse(source), contextValue, variableValues: { id: team.id, ...variables } })
    return JSON.parse(JSON.stringify(answer)) as {
      data: { team: { files: { nodes: { fileId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } | null } | null
    }
  }
  const page = async (variables: object) => (await files(variables)).data?.team?.files
  const idsOf = async (variables: object) => (await page(variables))?.nodes.map(({ fileId }) => fileId)
  const first = await page({ first: 2 })
  expect(first?.pageInfo.hasNextPage).toBe(true)
  expect(first?.nodes.map(({ fileId }) => fileId)).toEqual([uploaded[2], uploaded[1]])
  expect(await idsOf({ after: first?.pageInfo.endCursor })).toEqual([uploaded[0]])
  expect(await idsOf({ last: 1 })).toEqual([uploaded[0]])
  expect(await idsOf({ type: 'AUDIO', unused: true })).toEqual([uploaded[1]])
  expect((await files({}, (await aUser(services)).id)).data?.team ?? null).toBeNull()
})
