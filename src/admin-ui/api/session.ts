import { type Failure, requestIdOf, unreachable } from './failure.ts'

export type SignedIn = { kind: 'signed in' } | { kind: 'wrong' } | { kind: 'failed'; failure: Failure }

/** Signs in by e-mail and password. The session is an HttpOnly cookie. */
export async function signIn(credentials: { email: string; password: string }): Promise<SignedIn> {
  const response = await post('/auth/sign-in/email', credentials)
  if (response?.ok) return { kind: 'signed in' }
  if (response && [400, 401, 403, 422].includes(response.status)) return { kind: 'wrong' }
  return { kind: 'failed', failure: await failureOfSignIn(response) }
}

/** Ends the session, also on the server. Returns the failure, if any; the session then continues. */
export async function signOut(): Promise<Failure | undefined> {
  const response = await post('/auth/sign-out', {})
  return response && (response.ok || response.status === 401) ? undefined : await failureOfSignIn(response)
}

/** The name of the configured SSO provider, if there is one. */
export async function ssoProviderName(): Promise<string | undefined> {
  const response = await fetch('/auth/ways').catch(() => undefined)
  if (!response?.ok) return undefined
  const { oidc } = (await response.json()) as { oidc: { name: string } | null }
  return oidc?.name
}

/** Starts the SSO sign-in, which returns to `returnTo`. Returns the failure, if any; otherwise the browser leaves the page. */
export async function startSsoSignIn(returnTo: string): Promise<Failure | undefined> {
  const response = await post('/auth/sign-in/social', { provider: 'oidc', callbackURL: returnTo })
  if (!response?.ok) return await failureOfSignIn(response)
  const { url } = (await response.json()) as { url?: string }
  if (url === undefined) return await failureOfSignIn(response)
  location.assign(url)
  return undefined
}

/** The e-mail address of the person who is signed in now; undefined without a session. */
export async function signedInEmail(): Promise<string | undefined> {
  const response = await post('/graphql', { query: 'query SignedIn { viewer { user { email } } }' })
  if (!response?.ok) return undefined
  const { data } = (await response.json()) as { data?: { viewer: { user: { email: string } | null } } | null }
  return data?.viewer.user?.email
}

async function post(path: string, body: object): Promise<Response | undefined> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return await fetch(path, init).catch(() => undefined)
}

async function failureOfSignIn(response: Response | undefined): Promise<Failure> {
  if (response === undefined) return unreachable
  const requestId = requestIdOf(response)
  if (response.status === 429) {
    const seconds = Number(response.headers.get('Retry-After') ?? '')
    return {
      code: 'rate_limited',
      message: `Too many attempts. Try again ${formatDelay(seconds)}.`,
      requestId,
      retryable: true,
      details: {},
    }
  }
  const message = (await refusalOf(response)) ?? 'The server could not do this. Try again in a moment.'
  return { code: 'service_unavailable', message, requestId, retryable: true, details: {} }
}

/** The message of the server, if there is one. */
async function refusalOf(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: unknown } } | undefined
  const message = body?.error?.message
  return typeof message === 'string' ? message : undefined
}

function formatDelay(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return 'in a moment'
  if (seconds < 90) return `in ${Math.ceil(seconds)} ${Math.ceil(seconds) === 1 ? 'second' : 'seconds'}`
  return `in ${Math.ceil(seconds / 60)} minutes`
}
