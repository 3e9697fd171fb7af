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
  state_mismatch: 'expired',
  state_not_found: 'expired',
  password_changed: 'expired',
}

/** Where the browser goes on that came back from a provider, by where the library would send it. */
export function addressAfterSignIn(location: string | null, { isSignedIn, publicUrl }: { isSignedIn: boolean; publicUrl: string }): string {
  if (isSignedIn) return returnAddress(location ?? '', publicUrl) ?? '/integrations'
  const error = URL.parse(location ?? '', publicUrl)?.searchParams.get('error') ?? ''
  return `${signInPage}?error=${Object.hasOwn(reasons, error) ? reasons[error] : 'failed'}`
}
