import { afterAll, expect, test } from 'vitest'
import { accountIdOf } from '../../src/domain/access/spender.ts'
import { aTeam } from '../support/factories.ts'
import { type Answered, testEndpoint } from '../support/http/graphql.ts'
import { aMember } from '../support/people/sessions.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const { team } = await aTeam(services)
const { id: userId } = await aMember(services, { teamId: team.id, role: 'member' })
const tool = await testEndpoint(services)
const person = await testEndpoint(services, { authenticateSession: async () => ({ kind: 'person', userId }) })
afterAll(async () => {
  await tool.app.close()
  await person.app.close()
  await close()
})

await services.pool.query(
  `insert into generations (id, owner_id, account_id, source, state, family_id, output_type, price, credits_charged, result, created_at, finished_at)
     select 'gen_' || lpad(n::text, 26, '0'), $1, $2, 'rest', 'ready', 'f', 'image', 0, 0, '{"heldBy": "editor"}', now(), now() from generate_series(1, 50) as n`,
  [team.id, accountIdOf(team.id)],
)

/** Gives every generation of the team's history this prompt. */
async function prompts(prompt: string): Promise<void> {
  await services.pool.query('update generations set prompt = $1', [prompt])
}

const longest = '😀'.repeat(20_000)

async function askAsMember(query: string): Promise<Answered & { bytes: number }> {
  const headers = { 'content-type': 'application/json', origin: services.settings.publicUrl }
  const payload = JSON.stringify({ query, variables: { id: team.id } })
  const response = await person.app.inject({ method: 'POST', url: '/graphql', headers, payload })
  const { data, errors = [] } = response.json()
  return { status: response.statusCode, data, errors, bytes: response.rawPayload.length }
}

const pages = (count: number, fields: string) =>
  `query ($id: ID!) { team(id: $id) { ${Array.from({ length: count }, (_, index) => `a${index}: generations(first: 50) { nodes { ${fields} } }`).join(' ')} } }`

const refusedAtQuery = {
  status: 400,
  data: undefined,
  errors: [{ extensions: { code: 'invalid_request', details: { issues: [{ in: 'body', path: ['query'], code: 'too_big' }] } } }],
}

test('variables with too many members are refused before an error prints them', async () => {
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`n${n}`, 0]))
  const query = 'query ($i: GenerationInput!) { estimate(input: $i) { credits } }'
  const ask = async (variables: object) => {
    const headers = { 'content-type': 'application/json', origin: services.settings.publicUrl }
    const response = await person.app.inject({ method: 'POST', url: '/graphql', headers, payload: JSON.stringify({ query, variables }) })
    return { errors: response.json().errors as { extensions: object }[], bytes: response.rawPayload.length }
  }
  const refused = await ask({ i: names })
  expect(refused.errors).toMatchObject([{ extensions: { details: { issues: [{ path: ['variables'], code: 'too_big' }] } } }])
  const few = await ask({ i: Object.fromEntries(Object.entries(names).slice(0, 500)) })
  expect(few.errors.length).toBeLessThan(3)
})

test('two pages of the longest prompts are returned, and thirty are refused before a read', async () => {
  await prompts(longest)
  const two = await askAsMember(pages(2, 'prompt'))
  expect(two.status).toBe(200)
  expect(two.bytes).toBeGreaterThan(8_000_000)
  expect(await askAsMember(pages(30, 'prompt'))).toMatchObject(refusedAtQuery)
})

test('a response that becomes too long is aborted during execution, for every caller', async () => {
  await prompts(longest)
  expect(await askAsMember(pages(1, 'prompt json'))).toMatchObject({ status: 200 })
  expect(await tool.ask(pages(5, 'prompt'), { id: team.id })).toMatchObject({
    ...refusedAtQuery,
    errors: [{ message: expect.stringMatching(/longer than 8,388,608 bytes/) }],
  })
})

test('a response that becomes too long by its escapes is aborted during serialization', async () => {
  await prompts('\u0001'.repeat(20_000))
  const one = await askAsMember(pages(1, 'prompt'))
  expect([one.status, one.bytes > 6_000_000]).toEqual([200, true])
  expect(await askAsMember(pages(2, 'prompt'))).toMatchObject(refusedAtQuery)
  await prompts('short')
  expect(await askAsMember(pages(2, 'prompt'))).toMatchObject({ status: 200, errors: [] })
})
