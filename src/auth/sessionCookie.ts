import { sessionDigest } from '../domain/access/sessions/sessions.ts'

/** Cookies that a page of another host, or one without TLS, cannot set either: browsers see to it by their names. */
export function cookieName(publicUrl: string, name: 'session' | 'sign_in'): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}atelier.${name}`
}

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** A token, and the signature that the library puts behind it. */
const storedForm = /^([A-Za-z0-9]{32})\.[\w+/=%-]+$/

/**
 * What a request shows of a session, as we keep it. The token says all by itself; what signs it may change, and nobody is signed out.
 * `undefined` for no cookie of ours, and for one that cannot be.
 */
export function readSessionDigest(cookies: string | undefined, publicUrl: string): Buffer | undefined {
  const token = storedForm.exec(readCookie(cookies, cookieName(publicUrl, 'session')) ?? '')?.[1]
  return token === undefined ? undefined : sessionDigest(token)
}

/** Whether a request carries a session at all, whatever it is worth. */
export function hasSessionCookie(cookies: string | undefined, publicUrl: string): boolean {
  return readCookie(cookies, cookieName(publicUrl, 'session')) !== undefined
}

/** The header that takes the session out of a browser. */
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
