/** Where a sign-in through a provider ends when it fails. */
export const signInPage = '/integrations/sign-in'

/** The page of ours that somebody asked to come back to; `undefined` for every other address, wherever it would lead. */
export function returnAddress(asked: string, publicUrl: string): string | undefined {
  const url = URL.parse(asked, publicUrl)
  if (url === null || url.origin !== new URL(publicUrl).origin || url.username !== '' || url.password !== '') return undefined
  const isOurs = url.pathname === '/integrations' || url.pathname.startsWith('/integrations/')
  return isOurs && !/[\\]|\/\//.test(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : undefined
}

/** Why a sign-in failed, for the page to say in words of its own: what a provider writes is for nobody to read on our page. */
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

/** Where a sign-in that fails leads, so that the next one still ends at the page that was asked for. */
export function failureAddress(callbackURL: string): string {
  return `${signInPage}?${new URLSearchParams({ next: callbackURL })}`
}

/** Where the browser goes on that came back from a provider, by where the library would send it. */
export function addressAfterSignIn(location: string | null, { isSignedIn, publicUrl }: { isSignedIn: boolean; publicUrl: string }): string {
  if (isSignedIn) return returnAddress(location ?? '', publicUrl) ?? '/integrations'
  const said = URL.parse(location ?? '', publicUrl)?.searchParams
  const error = said?.get('error') ?? ''
  const next = returnAddress(said?.get('next') ?? '', publicUrl)
  const reason = (Object.hasOwn(reasons, error) && reasons[error]) || 'failed'
  return `${signInPage}?${new URLSearchParams({ ...(next === undefined ? {} : { next }), error: reason })}`
}
