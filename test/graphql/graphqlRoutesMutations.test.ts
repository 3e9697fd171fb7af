import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeam } from '../support/factories.ts'
import { asPerson } from '../support/people/sessions.ts'

const serviceToken = 'a-service-token-of-more-than-32-characters'
const requestsPerMinute = 30
const { ask, services, close } = await testApp({ undescribed: true, serviceToken, settings: { requestsPerMinute } })
afterAll(close)

const { team, user } = await aTeam(services)

/** Issues so many keys by one document. */
const issuing = (count: number) =>
  `mutation ($input: IssueApiKeyInput!) { ${Array.from({ length: count }, (_, index) => `a${index}: issueApiKey(input: $input) { value }`).join(' ')} }`
const input = { teamId: team.id, name: 'key', scopes: ['CATALOG_READ'] }

async function send(query: string, headers: Record<string, string>) {
  const { status, headers: told, text } = await ask('POST //graphql', { body: { query, variables: { input } }, headers })
  return {
    status,
    remaining: told['x-ratelimit-remaining'],
    standard: told['ratelimit'],
    retryAfter: told['retry-after'],
    ...JSON.parse(text),
  }
}

const keys = async () =>
  (await services.pool.query('select count(*)::integer as keys from api_keys where team_id = $1', [team.id])).rows[0].keys

test('each mutation of a document counts as a request, and a document with more than the remaining requests has no effect', async () => {
  const headers = await asPerson(services, { userId: user.id })
  const first = await send(issuing(20), headers)
  expect(first).toMatchObject({ status: 200, remaining: '10', standard: expect.stringContaining('r=10;') })
  expect(await keys()).toBe(20)
  const second = await send(issuing(20), headers)
  expect(second).toMatchObject({
    status: 429,
    remaining: '0',
    retryAfter: expect.any(String),
    errors: [{ extensions: { code: 'rate_limited' } }],
  })
  expect(second.data).toBeUndefined()
  expect(await keys()).toBe(20)
})

test('all fields of a query count as one request, and mutations in fragments count', async () => {
  const { id: userId } = (await aTeam(services)).user
  const headers = await asPerson(services, { userId })
  expect(await send(`{ ${Array.from({ length: 20 }, (_, index) => `a${index}: viewer { kind }`).join(' ')} }`, headers)).toMatchObject({
    remaining: '29',
  })
  const hidden = `mutation { ...F ... { b: revokeApiKey(input: { id: "x" }) { id } } } fragment F on Mutation { a: revokeApiKey(input: { id: "x" }) { id } }`
  expect(await send(hidden, headers)).toMatchObject({ remaining: '27' })
})

test('each item of a batch of starts counts as a request, and a batch beyond the rate starts nothing', async () => {
  const own = await aTeam(services)
  const headers = await asPerson(services, { userId: own.user.id })
  const batch = `mutation { startBatch(teamId: "${own.team.id}", items: [${Array.from({ length: 20 }, () => '{}').join(' ')}]) { json } }`
  expect(await send(batch, headers)).toMatchObject({
    status: 200,
    remaining: '10',
    data: { startBatch: { json: { items: { length: 20 } } } },
  })
  expect(await send(batch, headers)).toMatchObject({ remaining: '0', errors: [{ extensions: { code: 'rate_limited' } }] })
})

test('requests of tools are not counted', async () => {
  const answered = await send(issuing(20), { authorization: `Bearer ${serviceToken}` })
  expect(answered.status).toBe(200)
})
