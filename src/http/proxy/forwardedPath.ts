import { pathOf } from '../unmatchedRoutes.ts'

/** The internal paths for browsers. No other internal path is reachable through the public listener. */
export const forwardedRoots = ['/integrations', '/auth', '/graphql'] as const

/**
 * Returns the path of a URL without its query if it is one of {@link forwardedRoots} or below it, else undefined. All programs must read
 * the same path, so escaped slashes and percent signs, dot segments, backslashes and empty segments are not accepted.
 * Contract: docs/contract.md#two-listeners.
 */
export function forwardedPath(url: string): string | undefined {
  const path = pathOf(url)
  const isPlain = path.slice(1).split('/').every(isPlainSegment)
  return isPlain && forwardedRoots.some((root) => path === root || path.startsWith(`${root}/`)) ? path : undefined
}

function isPlainSegment(segment: string): boolean {
  if (!/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+$/i.test(segment)) return false
  const text = decoded(segment)
  return text !== undefined && text !== '.' && text !== '..' && !/[/\\%\0]/.test(text)
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
