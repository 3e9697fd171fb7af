import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'

/** A path of ours, written with `{name}` or a trailing `*`, and the methods that it takes. */
export type KnownPath = { path: string; methods: string[] }

/** Why nothing takes a request; `allow` names the methods that its path takes. */
export type Unmatched = { refusal: Refusal; allow?: string }

/**
 * Tells requests that no route may take, and why; `undefined` for all others. Besides those that the router finds nothing for, they are
 * paths with a slash at the end or two in a row, which it takes for empty parameters, and other methods of a literal path that it would
 * take for a parameter: `GET /generations/estimate` asks for no generation of that name.
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
    const isMistaken = own?.includes(method) === false && routeOptions.url?.includes(':')
    if (!is404 && !isMistaken && !hasExtraSlash(path)) return undefined
    const methods = own ?? patterns.filter(({ pattern }) => pattern.test(path)).flatMap((each) => each.methods)
    if (methods.length === 0 || methods.includes(method)) return { refusal: new Refusal('not_found') }
    return { refusal: new Refusal('method_not_allowed'), allow: [...new Set(methods)].join(', ') }
  }
}

/** A proxy may send the whole address, origin included. */
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
