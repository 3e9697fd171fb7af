import { afterAll, expect, test } from 'vitest'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aUser } from '../support/factories.ts'

const { ask, origin, services, close } = await testApp({ undescribed: true, trustedProxies: '127.0.0.1' })
afterAll(close)

const password = 'correct horse battery'
const user = await aUser(services, { password })
let addresses = 0
/** Each test has its own address, so that no test slows another. */
const headers = () => ({ origin, 'x-forwarded-for': `198.51.100.${(addresses += 1)}` })
const signIn = (email: string, typed = password, more: Record<string, string> = headers()) =>
  ask('POST //auth/sign-in/email', { body: { email, password: typed }, headers: more })
const setCookie = (answer: { headers: Record<string, unknown> }) => [answer.headers['set-cookie'] ?? []].flat().map(String)
const cookieOf = (answer: { headers: Record<string, unknown> }) => setCookie(answer)[0]?.split(';')[0] ?? ''
const viewer = (cookie: string) =>
  ask('POST //graphql', { body: { query: '{ viewer { kind user { email } } }' }, headers: { origin, cookie } })

test('the session cookie authenticates until the sign-out, and a copy of it stops working then', async () => {
  const answer = await signIn(user.email.toUpperCase())
  expect(answer.text).toBe('{"signedIn":true}')
  expect(setCookie(answer)).toEqual([expect.stringMatching(/^atelier\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)])
  const cookie = cookieOf(answer)
  expect(JSON.parse((await viewer(cookie)).text)).toEqual({ data: { viewer: { kind: 'PERSON', user: { email: user.email } } } })

  const out = await ask('POST //auth/sign-out', { body: {}, headers: { origin, cookie } })
  expect([out.status, setCookie(out)]).toEqual([200, ['atelier.session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']])
  expect((await viewer(cookie)).status).toBe(401)
})

test('with https the cookie is Secure and has the prefix __Host-', async () => {
  const app = await testApp({ undescribed: true, settings: { publicUrl: 'https://media.example.com' } })
  const { email } = await aUser(app.services, { password })
  const body = { email, password }
  const answer = await app.ask('POST //auth/sign-in/email', { body, headers: { origin: 'https://media.example.com' } })
  expect(setCookie(answer)).toEqual([
    expect.stringMatching(/^__Host-atelier\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  await app.close()
})

test('a sign-in opens a new session and ends the presented one', async () => {
  const planted = cookieOf(await signIn(user.email))
  const own = cookieOf(await signIn(user.email, password, { ...headers(), cookie: planted }))
  expect(own).not.toBe(planted)
  expect([(await viewer(planted)).status, (await viewer(own)).status]).toEqual([401, 200])
})

test('the database stores no text that opens a session', async () => {
  const cookie = cookieOf(await signIn(user.email))
  const token = /=(\w{32})\./.exec(cookie)?.[1] ?? ''
  const { rows } = await services.pool.query('select s::text as row from auth.sessions s')
  expect(token).toHaveLength(32)
  expect(rows.map(({ row }) => row).join()).not.toContain(token)
})

test.each([
  ['without an origin', {}],
  ['of a page elsewhere', { origin: 'https://evil.example' }],
  ['of a hidden origin', { origin: 'null' }],
])('a request %s can neither sign in nor sign out', async (_words, foreign) => {
  const cookie = cookieOf(await signIn(user.email))
  const right = { email: user.email, password }
  expect((await ask('POST //auth/sign-in/email', { body: right, headers: foreign })).status).toBe(403)
  expect((await ask('POST //auth/sign-out', { body: {}, headers: { cookie, ...foreign } })).status).toBe(403)
  expect((await viewer(cookie)).status).toBe(200)
})

test.each([
  ['a form', 'email=a&password=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['broken JSON', '{', {}, 400],
  ['too much', JSON.stringify({ email: 'x'.repeat(300_000), password }), {}, 413],
  ['a field that leads elsewhere', JSON.stringify({ email: 'a@b', password, callbackURL: 'https://evil.example' }), {}, 400],
])('%s is refused in the common error format', async (_words, body, more, status) => {
  const answer = await ask('POST //auth/sign-in/email', { body, headers: { ...headers(), 'content-type': 'application/json', ...more } })
  expect([answer.status, typeof answer.body.error.code, answer.headers['x-request-id']]).toEqual([status, 'string', expect.any(String)])
})

test('a wrong password and an unknown address get the same refusal', async () => {
  const [wrong, unknown] = [await signIn(user.email, 'wrong'), await signIn('nobody@example.test', 'wrong')]
  expect(wrong.status).toBe(401)
  expect(wrong.body.error).toMatchObject({ code: 'unauthorized', message: 'E-mail or password is wrong.' })
  expect(unknown.body).toEqual(wrong.body)
})

test('only the endpoints of the sign-in page are reachable', async () => {
  const others = 'sign-up/email get-session update-user change-email change-password delete-user list-sessions revoke-session ok error'
  const unused = 'reset-password request-password-reset verify-email link-social list-accounts refresh-token get-access-token account-info'
  for (const path of `${others} ${unused} sign-in/social callback/oidc sign-in ways/`.split(' ')) {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(`${method} //auth/${path}`, { headers: headers(), ...(method === 'POST' ? { body: {} } : {}) })
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'not_found'])
    }
  }
  const wrongMethod = await ask('GET //auth/sign-out', { headers: headers() })
  expect([wrongMethod.status, wrongMethod.headers['allow']]).toEqual([405, 'POST'])
  expect((await ask('GET //auth/ways')).text).toBe('{"oidc":null}')
})

test('a new password ends every session, and the old password is refused', async () => {
  const cookie = cookieOf(await signIn(user.email))
  await updateUser(aServiceContext(services), { id: user.id, password: 'another password' })
  expect((await viewer(cookie)).status).toBe(401)
  expect((await signIn(user.email)).status).toBe(401)
  expect((await signIn(user.email, 'another password')).status).toBe(200)
})
