import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/domain/access/people/users.ts'
import { testApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { aServiceContext, aUser } from '../support/factories.ts'
import { anIdentityProvider } from '../support/people/identityProvider.ts'

const clock = testClock()
const provider = await anIdentityProvider(clock)
const main = await testApp({ undescribed: true, clock, oidc: provider.settings })
const { ask, origin, services, databaseUrl, close } = main
afterAll(async () => {
  await close()
  await provider.close()
})

const someone = () => ({ sub: randomUUID(), email: `${randomUUID()}@example.test`, email_verified: true, name: 'Ada Lovelace' })
beforeEach(() => {
  provider.person = someone()
  provider.lie(false)
})

const begin = (body: object = {}, app = main) =>
  app.ask('POST //auth/sign-in/social', { body: { provider: 'oidc', ...body }, headers: { origin: app.origin } })
const cookiesOf = (answer: { headers: Record<string, unknown> }) => [answer.headers['set-cookie'] ?? []].flat().map(String)
const cookieHeader = (cookies: string[]) => cookies.map((each) => each.split(';')[0]).join('; ')

/** The sign-in page with the reason and the requested page. */
const back = (reason: string) => `/integrations/sign-in?next=%2Fintegrations%2Fteam_x%2Fkeys&error=${reason}`

/** Goes to the provider and returns. Resolves with the final response. */
async function signIn({ callbackURL = '/integrations/team_x/keys', change = (address: string) => address, app = main } = {}) {
  const left = await begin({ callbackURL }, app)
  const cookie = cookieHeader(cookiesOf(left))
  const way = change(await provider.authorize(JSON.parse(left.text).url))
  const answer = await app.ask(`GET ${way.replace(origin, app.origin)}`, { headers: { cookie } })
  return {
    way,
    cookie,
    location: answer.headers['location'],
    session: cookieHeader(cookiesOf(answer).filter((each) => each.includes('.session='))),
  }
}

async function viewerOf(cookie: string) {
  const query = '{ viewer { user { id email name memberships { nodes { role } } account { creditsAvailable } } } }'
  const { text } = await ask('POST //graphql', { body: { query }, headers: { origin, cookie } })
  return JSON.parse(text).data?.viewer.user
}

test('the sign-in page gets the name of the OIDC provider', async () => {
  expect((await ask('GET //auth/ways')).text).toBe('{"oidc":{"name":"Example ID"}}')
})

test('a first sign-in with a verified address creates an account without a team and leads to the requested page', async () => {
  const { location, session } = await signIn()
  expect(location).toBe('/integrations/team_x/keys')
  expect(await viewerOf(session)).toMatchObject({
    email: provider.person['email'],
    name: 'Ada Lovelace',
    memberships: { nodes: [] },
    account: { creditsAvailable: 0 },
  })
})

test('an existing person is identified by a verified address, and afterwards by the sub of the provider', async () => {
  const { id, email } = await aUser(services)
  provider.person = { ...someone(), email: email.toUpperCase() }
  const { sub } = provider.person
  expect((await viewerOf((await signIn()).session)).id).toBe(id)

  provider.person = { ...someone(), sub, email: 'elsewhere@example.test', email_verified: false }
  expect(await viewerOf((await signIn()).session)).toMatchObject({ id, email })
})

test('concurrent first sign-ins create one person and open a session each', async () => {
  const locked = await services.pool.connect()
  // All requests look for the person before the first of them inserts the row.
  await locked.query('begin')
  await locked.query('lock table users in share mode')
  const signedIn = Promise.all([signIn(), signIn(), signIn()])
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await services.pool.query(waiting)).rowCount, { timeout: 5000 }).toBe(3)
  await locked.query('commit')
  locked.release()
  const found = await Promise.all((await signedIn).map(({ session }) => viewerOf(session)))
  expect(found.map((person) => person?.email)).toEqual(found.map(() => provider.person['email']))
  expect(new Set(found.map((person) => person?.id)).size).toBe(1)
})

test.each([
  ['says nothing of it', undefined],
  ['says that it is not', false],
  ['writes something else', 'yes'],
])('an unverified address is refused: the provider %s', async (_words, email_verified) => {
  const { email } = await aUser(services)
  for (const claimed of [email, 'nobody@example.test']) {
    provider.person = { ...someone(), email: claimed, email_verified }
    expect(await signIn()).toMatchObject({ location: back('email_not_verified'), session: '' })
  }
})

test('only addresses of allowed domains create an account; people with an account always sign in', async () => {
  const { email, id } = await aUser(services)
  const narrow = await testApp({ databaseUrl, undescribed: true, clock, oidc: { ...provider.settings, allowedDomains: ['example.com'] } })
  onTestFinished(narrow.close)
  for (const [claimed, reason] of [
    [`a${randomUUID()}@Example.com`, undefined],
    [email, undefined],
    [`b${randomUUID()}@example.test`, 'registration_closed'],
    [`c${randomUUID()}@sub.example.com`, 'registration_closed'],
    [`"@example.com ${randomUUID()}"@example.test`, 'registration_closed'],
  ] as const) {
    provider.person = { ...someone(), email: claimed }
    const { location, session } = await signIn({ app: narrow })
    expect([location, session !== '']).toEqual(reason ? [back(reason), false] : ['/integrations/team_x/keys', true])
  }
  expect(await viewerOf((await signIn()).session)).toBeUndefined()
  provider.person = { ...someone(), email }
  expect((await viewerOf((await signIn()).session)).id).toBe(id)
})

test('an address whose lower-case form is that of another person is refused and creates no account', async () => {
  const { email } = await createUser(aServiceContext(services), { email: `kim-${randomUUID()}@example.test`, name: 'Kim' })
  for (const claimed of [email.replace('k', '\u212a'), 'no\u212aia@example.test', 'n\u0130l@example.test']) {
    provider.person = { ...someone(), email: claimed }
    expect(await signIn()).toMatchObject({ location: expect.stringContaining('error=email_not_verified'), session: '' })
  }
  provider.person = { ...someone(), email: `Ångström-${randomUUID()}@example.test` }
  expect(await signIn()).toMatchObject({ session: expect.stringContaining('session') })
})

test.each([
  ['signed with a key that it does not publish', () => provider.lie(true)],
  ['for another client', () => Object.assign(provider.person, { aud: 'another' })],
  [
    'for several clients, another first of all',
    () => Object.assign(provider.person, { aud: ['another', 'atelier client'], azp: 'another' }),
  ],
  ['of another issuer', () => Object.assign(provider.person, { iss: 'https://evil.example' })],
  ['that has run out', () => Object.assign(provider.person, { exp: Math.floor(clock.now().getTime() / 1000) - 120 })],
  ['of another sign-in', () => Object.assign(provider.person, { nonce: 'another' })],
  ['that names nobody', () => Object.assign(provider.person, { sub: '' })],
])('a token %s is refused', async (_words, spoil) => {
  spoil()
  expect(await signIn()).toMatchObject({ location: back('failed'), session: '' })
})

test('a callback address works once, and only in its browser', async () => {
  const { way, cookie, session } = await signIn()
  expect(session).not.toBe('')
  const again = await ask(`GET ${way}`, { headers: { cookie } })
  expect(again.headers['location']).toBe('/integrations/sign-in?error=expired')

  const left = await begin()
  const fresh = await provider.authorize(JSON.parse(left.text).url)
  const elsewhere = await ask(`GET ${fresh}`, {})
  expect(elsewhere.headers['location']).toBe('/integrations/sign-in?next=%2Fintegrations&error=expired')
  expect(cookieHeader(cookiesOf(elsewhere))).not.toContain('.session=')
})

test('a cancel at the provider leads to the sign-in page, which keeps the requested page and shows no text of the provider', async () => {
  const change = (address: string) => address.replace(/code=[^&]+/, 'error=access_denied&error_description=call+0900')
  expect(await signIn({ change })).toMatchObject({ location: back('cancelled'), session: '' })
})

test.each([
  'https://evil.example/integrations',
  '//evil.example/integrations',
  '/\\evil.example/integrations',
  '/integrations/../auth/ways',
  '/integrationsx',
  '/graphql',
  'javascript:alert(1)',
  'http://user@127.0.0.1/integrations',
])('a sign-in never redirects to %s', async (callbackURL) => {
  const { status, body } = await begin({ callbackURL })
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
})

test('a provider that was down at our start works as soon as it is up; until then the page shows a refusal', async () => {
  const late = await anIdentityProvider(clock)
  await late.down()
  const app = await testApp({ undescribed: true, oidc: late.settings })
  const leave = () => app.ask('POST //auth/sign-in/social', { body: { provider: 'oidc' }, headers: { origin: app.origin } })
  expect((await leave()).body).toMatchObject({
    error: { code: 'service_unavailable', message: 'Example ID cannot be reached. Try again later.' },
  })
  await late.back()
  expect((await leave()).status).toBe(200)
  await app.close()
  await late.close()
})
