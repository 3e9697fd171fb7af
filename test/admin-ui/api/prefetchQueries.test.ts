import type { Request } from 'playwright-core'
import { formatDocument, stringifyDocument } from 'urql'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { graphql } from '../../../src/admin-ui/api/graphql.ts'
import { fetchPrefetched, prefetchQueries, withTypenames } from '../../../src/admin-ui/api/prefetchQueries.ts'
import { viewerDocument } from '../../../src/admin-ui/api/viewerDocument.ts'
import { historyDocument } from '../../../src/admin-ui/pages/history/historyDocument.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { aTeamWithKey } from '../../support/factories.ts'

const app = await testApp()
afterAll(app.close)
afterEach(() => vi.unstubAllGlobals())

const operationOf = (request: Request) => (request.postDataJSON() as { operationName: string }).operationName

test('the person and the rows of the history are requested before the code of all pages has arrived, and once', async () => {
  const { user, team, value: key } = await aTeamWithKey(app.services)
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse at dusk' } })
  const page = await aBrowserPage(app, { as: user })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) asked.push(operationOf(request))
  })
  const isSent = () => expect.poll(() => [...asked].toSorted(), { timeout: 10_000 }).toEqual(['History', 'Viewer'])
  await page.route('**/assets/first-*.js', async (route) => {
    await isSent()
    await route.continue()
  })
  await page.goto(`/integrations/${team.id}/history`)
  await page.getByRole('button', { name: 'a lighthouse at dusk' }).waitFor()
  expect(asked.filter((name) => name === 'Viewer')).toHaveLength(1)
  // A queued generation is polled, at the earliest two seconds later.
  expect(asked.slice(0, 4).filter((name) => name === 'History')).toHaveLength(1)
})

const historyOf = (teamId: string) => ({ document: historyDocument, variables: { teamId, first: 25 } })

/** The request of the client of the pages. */
const request = (operationName: string, variables: object = {}) =>
  fetchPrefetched('/graphql', { body: JSON.stringify({ operationName, variables }) })

test('a prefetched response is used once, and for the same variables only', async () => {
  let sent = 0
  vi.stubGlobal('fetch', async () => new Response(String((sent += 1))))
  prefetchQueries([{ document: viewerDocument }, historyOf('team_1')])
  expect(await (await request('History', { first: 25, teamId: 'team_2' })).text()).toBe('3')
  expect(await (await request('History', { first: 25, teamId: 'team_1', state: null })).text()).toBe('2')
  expect(await (await request('History', { first: 25, teamId: 'team_1' })).text()).toBe('4')
  expect(await (await request('Viewer')).text()).toBe('1')
})

test('without a session, a prefetched query is sent again after the sign-in', async () => {
  const statuses = [401, 401, 200]
  vi.stubGlobal('fetch', async () => new Response(null, { status: statuses.shift() ?? 500 }))
  prefetchQueries([{ document: viewerDocument }, historyOf('team_1')])
  expect((await request('Viewer')).status).toBe(401)
  expect((await request('History', { first: 25, teamId: 'team_1' })).status).toBe(200)
})

test('after a mutation, a prefetched query is sent again', async () => {
  let sent = 0
  vi.stubGlobal('fetch', async () => new Response(String((sent += 1))))
  prefetchQueries([historyOf('team_1')])
  await fetchPrefetched('/graphql', { body: JSON.stringify({ operationName: 'Start', query: 'mutation Start { start { id } }' }) })
  expect(await (await request('History', { first: 25, teamId: 'team_1' })).text()).toBe('3')
})

test('after any refusal, a prefetched query is sent again: another person may have signed in', async () => {
  const statuses = [200, 401, 201]
  vi.stubGlobal('fetch', async () => new Response(null, { status: statuses.shift() ?? 500 }))
  prefetchQueries([historyOf('team_1')])
  expect((await request('Usage')).status).toBe(401)
  expect((await request('History', { first: 25, teamId: 'team_1' })).status).toBe(201)
})

test('a prefetched query without a response is sent again', async () => {
  const fetches = vi.fn<() => Promise<Response>>().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(new Response())
  vi.stubGlobal('fetch', fetches)
  prefetchQueries([{ document: viewerDocument }])
  expect((await request('Viewer')).status).toBe(200)
  expect(fetches).toHaveBeenCalledTimes(2)
})

test.each([viewerDocument, historyDocument])('a prefetched query has the text that the client of the pages sends: %s', (document) => {
  const printed = (text: string) => stringifyDocument(graphql(text as typeof viewerDocument)).replace(/\s+/g, ' ')
  expect(printed(withTypenames(document))).toBe(
    stringifyDocument(formatDocument(graphql(document as typeof viewerDocument))).replace(/\s+/g, ' '),
  )
})
