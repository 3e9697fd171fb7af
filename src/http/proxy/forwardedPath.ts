import { pathOf } from '../unmatchedRoutes.ts'

/** What the internal side of another process serves to browsers; nothing else of it is reached from outside. */
export const forwardedRoots = ['/integrations', '/auth', '/graphql'] as const

/**
 * The path of an address that is passed on, without its query; `undefined` for all that is not plainly one of {@link forwardedRoots} or
 * below it. No two programs may read another path out of it, so escapes of a slash or a percent sign, dots for a segment, backslashes
 * and empty segments make it none. Contract: docs/contract.md#two-listeners.
 */
export function forwardedPath(url: string): string | undefined {
  const path = pathOf(url)
  const isPlain = path.slice(1).split('/').every(isPlainSegment)
  return isPlain && forwardedRoots.some((root) => path === root || path.startsWith(`${root}/`)) ? path : undefined
}

function isPlainSegment(segment: string): boolean {
  if (!/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+$/i.test(segment)) return false
  const meant = decoded(segment)
  return meant !== undefined && meant !== '.' && meant !== '..' && !/[/\\%\0]/.test(meant)
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
