import type { FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusals.ts'

/** A path of ours, written with `{name}` or a trailing `*`, and the methods that it takes. */
export type KnownPath = { path: string; methods: string[] }

/**
 * Why no route took a request: the path is known but takes other methods, or there is nothing at all.
 * Refusals: method_not_allowed (with `Allow`), not_found. Contract: section 4.
 */
export function makeStrayJudge(known: KnownPath[]): (request: FastifyRequest) => { refusal: Refusal; allow?: string } {
  const patterns = known.map(({ path, methods }) => ({ pattern: patternOf(path), methods }))
  return (request) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((each) => each.methods)
    if (methods.length === 0 || methods.includes(request.method)) return { refusal: new Refusal('not_found') }
    return { refusal: new Refusal('method_not_allowed'), allow: [...new Set(methods)].join(', ') }
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.+?^$()[\]|\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+').replace(/\*$/, '.*')
  return new RegExp(`^${escaped}$`)
}
