import { sessionDigest } from '../domain/access/sessions/sessions.ts'

/** With TLS the prefix `__Host-` makes browsers refuse the cookie from subdomains and from pages without TLS. */
export function cookieName(publicUrl: string, name: 'session' | 'sign_in'): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}atelier.${name}`
}

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** The token and the signature that better-auth appends. */
const storedForm = /^([A-Za-z0-9]{32})\.[\w+/=%-]+$/

/**
 * Reads the digest of the session token in a request; `undefined` without a well-formed session cookie. The signature is not checked,
 * because the token is secret: a changed signing secret signs out nobody.
 */
export function readSessionDigest(cookies: string | undefined, publicUrl: string): Buffer | undefined {
  const token = storedForm.exec(readCookie(cookies, cookieName(publicUrl, 'session')) ?? '')?.[1]
  return token === undefined ? undefined : sessionDigest(token)
}

/** Whether a request has a session cookie, valid or not. */
export function hasSessionCookie(cookies: string | undefined, publicUrl: string): boolean {
  return readCookie(cookies, cookieName(publicUrl, 'session')) !== undefined
}

/** The `Set-Cookie` value that removes the session cookie. */
export function clearedSessionCookie(publicUrl: string): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${cookieName(publicUrl, 'session')}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`
}

function readCookie(cookies: string | undefined, name: string): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}
