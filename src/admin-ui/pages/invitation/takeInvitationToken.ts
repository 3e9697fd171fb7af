const stored = 'atelier-invitation'

/**
 * Takes the secret of the link out of the address, so that it is neither copied with it nor sent anywhere. The tab keeps it for the way
 * through the sign-in.
 */
export function takeInvitationToken(): string {
  const token = location.hash.slice(1)
  if (token === '') return sessionStorage.getItem(stored) ?? ''
  sessionStorage.setItem(stored, token)
  history.replaceState(history.state, '', location.pathname)
  return token
}
