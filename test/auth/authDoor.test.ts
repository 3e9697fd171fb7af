import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aUser } from '../support/factories.ts'

const { ask, origin, services, close } = await testApp({ undescribed: true })
afterAll(close)

const password = 'correct horse battery'
const headers = { origin }

test('whoever signs in is known by the cookie until they sign out', async () => {
  const user = await aUser(services, { password })
  const answer = await ask('POST //auth/sign-in/email', { body: { email: user.email, password }, headers })
  expect(answer.text).toBe('{"signedIn":true}')
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  expect(String(answer.headers['set-cookie'])).toMatch(/^atelier\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const viewer = () => ask('POST //graphql', { body: { query: '{ viewer { kind user { email } } }' }, headers: { ...headers, cookie } })
  expect(JSON.parse((await viewer()).text)).toEqual({ data: { viewer: { kind: 'PERSON', user: { email: user.email } } } })

  expect((await ask('POST //auth/sign-out', { body: {}, headers: { ...headers, cookie } })).status).toBe(200)
  expect((await viewer()).status).toBe(401)
})
