/** The page to which a failed OIDC sign-in leads. */
export const signInPage = '/integrations/sign-in'

/** The path of the requested page; `undefined` for an address that is not one of our pages. Prevents open redirects. */
export function returnAddress(asked: string, publicUrl: string): string | undefined {
  const url = URL.parse(asked, publicUrl)
  if (url === null || url.origin !== new URL(publicUrl).origin || url.username !== '' || url.password !== '') return undefined
  const isOurs = url.pathname === '/integrations' || url.pathname.startsWith('/integrations/')
  return isOurs && !/[\\]|\/\//.test(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : undefined
}

/** Error codes of the library and the provider, as reasons of the sign-in page. The page never shows text of a provider. */
const reasons: Record<string, string> = {
  access_denied: 'cancelled',
  email_not_verified: 'email_not_verified',
  account_not_linked: 'email_not_verified',
  email_not_found: 'email_not_verified',
  registration_closed: 'registration_closed',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  password_changed: 'expired',
}

/** The address for a failed sign-in. It carries the requested page, so that the next sign-in leads there. */
export function failureAddress(callbackURL: string): string {
  return `${signInPage}?${new URLSearchParams({ next: callbackURL })}`
}

/** The address to redirect to after the provider, derived from the redirect of the library. */
export function addressAfterSignIn(location: string | null, { isSignedIn, publicUrl }: { isSignedIn: boolean; publicUrl: string }): string {
  if (isSignedIn) return returnAddress(location ?? '', publicUrl) ?? '/integrations'
  const query = URL.parse(location ?? '', publicUrl)?.searchParams
  const error = query?.get('error') ?? ''
  const next = returnAddress(query?.get('next') ?? '', publicUrl)
  const reason = (Object.hasOwn(reasons, error) && reasons[error]) || 'failed'
  return `${signInPage}?${new URLSearchParams({ ...(next === undefined ? {} : { next }), error: reason })}`
}
