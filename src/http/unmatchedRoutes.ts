import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'

/** A path pattern with `{name}` or a trailing `*`, and its methods. */
export type KnownPath = { path: string; methods: string[] }

/** The refusal for a request without a route; `allow` lists the methods of its path. */
export type Unmatched = { refusal: Refusal; allow?: string }

/**
 * Finds requests that no route may handle; undefined for all others. In addition to the router's own misses: paths with a trailing or
 * double slash, which the router reads as empty parameters, and other methods of a literal path, which it reads as a parameter
 * (`GET /generations/estimate` is not a generation).
 * Refusals: method_not_allowed (with `Allow`), not_found. Contract: docs/contract.md#unknown-routes.
 */
export function makeUnmatchedClassifier(
  known: KnownPath[],
): (request: Pick<FastifyRequest, 'url' | 'method' | 'is404' | 'routeOptions'>) => Unmatched | undefined {
  const patterns = known.map(({ path, methods }) => ({ pattern: patternOf(path), methods }))
  const literals = new Map<string, string[]>()
  for (const { path, methods } of known) if (!/[{*]/.test(path)) literals.set(path, [...(literals.get(path) ?? []), ...methods])

  return ({ url, method, is404, routeOptions }) => {
    const path = pathOf(url)
    const own = literals.get(path)
    const isMisrouted = own?.includes(method) === false && routeOptions.url?.includes(':')
    if (!is404 && !isMisrouted && !hasExtraSlash(path)) return undefined
    const methods = own ?? patterns.filter(({ pattern }) => pattern.test(path)).flatMap((each) => each.methods)
    if (methods.length === 0 || methods.includes(method)) return { refusal: new Refusal('not_found') }
    return { refusal: new Refusal('method_not_allowed'), allow: [...new Set(methods)].join(', ') }
  }
}

/** Returns the path of a request URL. A proxy may send an absolute URL. */
export function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/, '')
}

function hasExtraSlash(path: string): boolean {
  return path.includes('//') || (path.length > 1 && path.endsWith('/'))
}

function patternOf(path: string): RegExp {
  const escaped = path
    .replaceAll(/[.+?^$()[\]|\\]/g, '\\$&')
    .replaceAll(/\{\w+\}/g, '[^/]+')
    .replace(/\*$/, '.*')
  return new RegExp(`^${escaped}$`)
}
