import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aTeam, aUser } from '../../support/factories.ts'
import { serviceToken } from '../../support/http/graphql.ts'
import { aMember, asPerson } from '../../support/people/sessions.ts'

const { ask, services, close } = await testApp({ undescribed: true, serviceToken })
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

const setZone = 'mutation { setTimeZone(input: { timeZone: "Europe/Berlin" }) { id timeZone } }'

test('a person sets their own time zone; colleagues do not see it, and tools cannot set it', async () => {
  const { team, user } = await aTeam(services)
  const headers = await asPerson(services, { userId: user.id })
  expect((await run(headers, setZone)).data).toEqual({ setTimeZone: { id: user.id, timeZone: 'Europe/Berlin' } })
  expect((await run(headers, 'mutation { setTimeZone(input: { timeZone: "Moon" }) { id } }')).codes).toEqual(['invalid_request'])
  const colleague = await aMember(services, { teamId: team.id, role: 'admin' })
  const theirs = `{ team(id: "${team.id}") { members(first: 9) { nodes { user { id timeZone } } } } }`
  const { codes } = await run(await asPerson(services, { userId: colleague.id }), theirs)
  expect(codes).toEqual(['access_denied'])
  const asTool = await ask('POST //graphql', { body: { query: setZone }, headers: { authorization: `Bearer ${serviceToken}` } })
  expect(asTool.text).toContain('access_denied')
  expect((await ask('POST //graphql', { body: { query: setZone } })).status).toBe(401)
})
