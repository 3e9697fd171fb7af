import { afterAll, expect, test } from 'vitest'
import { aTeam } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

test('the catalog is one connection: all families, or a page by cursors', async () => {
  const list = `query ($first: Int, $after: String, $last: Int, $before: String, $task: String) { families(first: $first, after: $after, last: $last, before: $before, task: $task) {
    edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
  type Page = { edges: { cursor: string; node: object }[]; nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
  const page = async (args: object) => (await dataOf<{ families: Page }>(list, args as Record<string, unknown>)).families
  const all = await page({})
  const ids = [...services.catalog.families.keys()]
  expect(all.nodes.map(({ id }) => id)).toEqual(ids)
  expect(all.edges.map(({ node }) => node)).toEqual(all.nodes)
  expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
  const first = await page({ first: 2 })
  const second = await page({ first: 50, after: first.pageInfo.endCursor })
  expect([...first.nodes, ...second.nodes]).toEqual(all.nodes)
  expect(first.pageInfo.hasNextPage).toBe(true)
  expect((await page({ last: 2 })).nodes).toEqual(all.nodes.slice(-2))
  expect((await page({ last: 1, before: all.edges[2]?.cursor })).nodes).toEqual([all.nodes[1]])
  expect((await page({ task: 'lip-sync' })).nodes.map(({ id }) => id)).toEqual(['sandbox-clip'])
  const { errors } = await ask(list, { task: 'sing' })
  expect(errors).toMatchObject([
    {
      extensions: {
        code: 'invalid_request',
        details: { issues: [{ path: ['task'], code: 'not_allowed', allowed: expect.arrayContaining(['lip-sync']) }] },
      },
    },
  ])
  expect((await ask(list, { after: 'x' })).errors).toMatchObject([{ extensions: { code: 'invalid_cursor' } }])
})

test('an operator locks and opens a family', async () => {
  const lock =
    'mutation ($available: Boolean!) { setFamilyAvailability(input: { familyId: "sandbox-3d", available: $available }) { id available lockReason variants { modelId prices { unit } } } }'
  expect(await dataOf(lock, { available: false })).toMatchObject({
    setFamilyAvailability: { available: false, lockReason: 'temporarily_unavailable' },
  })
  expect(await dataOf('{ family(id: "sandbox-3d") { available } families(outputType: "model3d") { nodes { id lockReason } } }')).toEqual({
    family: { available: false },
    families: {
      nodes: [
        { id: 'sandbox-3d', lockReason: 'temporarily_unavailable' },
        { id: 'sandbox-texture', lockReason: null },
      ],
    },
  })
  expect(await dataOf(lock, { available: true })).toMatchObject({ setFamilyAvailability: { available: true, lockReason: null } })
  const { errors } = await ask('mutation { setFamilyAvailability(input: { familyId: "none", available: true }) { id } }')
  expect(errors).toMatchObject([{ extensions: { code: 'family_not_found', details: { familyId: 'none' } } }])
})

test('a family is switched off for one team, and returned as that team sees it', async () => {
  const { team } = await aTeam(services)
  const close =
    'mutation ($teamId: ID!, $available: Boolean!) { setFamilyAvailability(input: { familyId: "sandbox-3d", teamId: $teamId, available: $available }) { lockReason } }'
  expect(await dataOf(close, { teamId: team.id, available: false })).toEqual({ setFamilyAvailability: { lockReason: 'disabled_by_team' } })
  expect(await dataOf('{ family(id: "sandbox-3d") { available } }')).toEqual({ family: { available: true } })
  expect(await dataOf(close, { teamId: team.id, available: true })).toEqual({ setFamilyAvailability: { lockReason: null } })
  const grant =
    'mutation ($teamId: ID!) { setFamilyAccess(input: { familyId: "sandbox-3d", teamId: $teamId, granted: true }) { available } }'
  expect(await dataOf(grant, { teamId: team.id })).toEqual({ setFamilyAccess: { available: true } })
})
