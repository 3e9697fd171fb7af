import { afterAll, expect, test } from 'vitest'
import { aUser } from '../support/factories.ts'
import { aSide } from '../support/processes/splitProcesses.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices({ settings: { publicUrl: 'https://media.test' } })
afterAll(close)

const password = 'correct horse battery'

test('a person can sign in and out through the public listener', async () => {
  const internal = await aSide(services, { serves: 'internal', trustedProxies: '127.0.0.1' })
  const { origin } = await aSide(services, { serves: 'public', internalUrl: internal.origin })
  const user = await aUser(services, { password })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://media.test', ...headers },
      body: JSON.stringify(body),
    })
  const foreign = await post('/auth/sign-in/email', { email: user.email, password }, { origin: 'https://evil.test' })
  expect(await foreign.json()).toMatchObject({ error: { code: 'access_denied' } })

  const [cookie = ''] = (await post('/auth/sign-in/email', { email: user.email, password })).headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-atelier\.session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const session = { cookie: cookie.split(';')[0] ?? '' }
  const viewer = async () => (await post('/graphql', { query: '{ viewer { kind user { email } } }' }, session)).json()
  expect(await viewer()).toEqual({ data: { viewer: { kind: 'PERSON', user: { email: user.email } } } })

  expect((await post('/auth/sign-out', {}, session)).headers.getSetCookie()[0]).toContain('Max-Age=0')
  expect(await viewer()).toMatchObject({ errors: [{ extensions: { code: 'unauthorized' } }] })
})

test('the admin UI is proxied with its content security policy and its cache headers', async () => {
  const internal = await aSide(services, { serves: 'internal' })
  const { origin } = await aSide(services, { serves: 'public', internalUrl: internal.origin })
  const [direct, page] = await Promise.all([internal.origin, origin].map((each) => fetch(`${each}/integrations/team_x/keys`)))
  const text = (await page?.text()) ?? ''
  expect([page?.status, text]).toEqual([direct?.status, await direct?.text()])
  for (const name of ['content-security-policy', 'etag', 'content-type', 'x-frame-options'])
    expect({ [name]: page?.headers.get(name) }).toEqual({ [name]: direct?.headers.get(name) })
  const script = /src="(\/integrations\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '/integrations/assets/none.js'
  const headers = { 'accept-encoding': 'br' }
  const [kept, passedOn] = await Promise.all([internal.origin, origin].map((each) => fetch(each + script, { headers })))
  expect(passedOn?.headers.get('content-encoding')).toBe(kept?.headers.get('content-encoding'))
  expect(await passedOn?.bytes()).toEqual(await kept?.bytes())
  const missing = await fetch(`${origin}/integrations/assets/none.js`)
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
})
