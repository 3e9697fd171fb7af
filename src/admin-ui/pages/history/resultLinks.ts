type Link = { url: string | null; urlExpiresAt: string | null }

const cache = new Map<string, { path: string; expiresAt: number }>()
/** Links that failed. Rows may still contain them. */
const dead = new Set<string>()
const cacheMax = 500
const spareMs = 60_000

/**
 * Returns the path of a result. Every answer has a new link to the same file; the first one is cache until it expires, so that an updated
 * row does not reload its picture. Only the path is used: files are loaded only from the page's own origin.
 */
export function resultPath(generationId: string, link: Link | null): string | undefined {
  if (!link?.url || link.urlExpiresAt === null) return undefined
  const known = cache.get(generationId)
  if (known && known.expiresAt > Date.now() + spareMs) return known.path
  const { pathname } = new URL(link.url)
  if (dead.has(pathname)) return pathname
  cache.set(generationId, { path: pathname, expiresAt: Date.parse(link.urlExpiresAt) })
  const [oldest] = cache.keys()
  if (cache.size > cacheMax && oldest !== undefined) cache.delete(oldest)
  return pathname
}

/** Drops a failed link. The next answer brings a new one. */
export function dropLink(generationId: string, path: string): void {
  dead.add(path)
  if (cache.get(generationId)?.path === path) cache.delete(generationId)
}
