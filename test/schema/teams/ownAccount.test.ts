import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aUser } from '../../support/factories.ts'
import { asPerson } from '../../support/people/sessions.ts'

const { ask, services, close } = await testApp({ undescribed: true })
afterAll(close)

type Session = { id: string; current: boolean; userAgent: string | null }
type Headers = { cookie: string; origin: string }

async function run<Data>(headers: Headers, query: string): Promise<{ status: number; data: Data; codes: string[] }> {
  const answer = await ask('POST //graphql', { body: { query }, headers })
  const { data, errors = [] } = JSON.parse(answer.text) as { data: Data; errors?: { extensions: { code: string } }[] }
  return { status: answer.status, data, codes: errors.map(({ extensions }) => extensions.code) }
}

const sessionsOf = async (headers: Headers) =>
  (await run<{ sessions: Session[] }>(headers, '{ sessions { id current userAgent lastUsedAt expiresAt address } }')).data.sessions

test('a person sees their sessions, and ends another one of them', async () => {
  const user = await aUser(services)
  const [here, there] = [await asPerson(services, { userId: user.id }), await asPerson(services, { userId: user.id })]
  const sessions = await sessionsOf(here)
  expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  expect(sessions).toHaveLength(2)
  const other = sessions.find(({ current }) => !current)?.id
  expect((await run(here, `mutation { endSession(input: { id: "${other}" }) }`)).data).toEqual({ endSession: true })
  expect((await run(there, '{ viewer { kind } }')).status).toBe(401)
  expect(await sessionsOf(here)).toHaveLength(1)
})

test('the session of another person is answered like an ended one', async () => {
  const [headers, victim] = await Promise.all([0, 1].map(async () => asPerson(services, { userId: (await aUser(services)).id })))
  if (!headers || !victim) throw new Error('no people')
  const [{ id } = { id: '' }] = await sessionsOf(victim)
  for (const each of [id, 'ses_01k00000000000000000000000', ''])
    expect((await run(headers, `mutation { endSession(input: { id: "${each}" }) }`)).codes).toEqual(['access_denied'])
  expect(await sessionsOf(victim)).toHaveLength(1)
})

test('a sign-out everywhere ends the present session too', async () => {
  const { id: userId } = await aUser(services)
  const [here, there] = [await asPerson(services, { userId }), await asPerson(services, { userId })]
  expect((await run(here, 'mutation { endSessions }')).data).toEqual({ endSessions: 2 })
  for (const headers of [here, there]) expect((await run(headers, '{ viewer { kind } }')).status).toBe(401)
})
