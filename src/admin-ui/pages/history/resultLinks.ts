type Link = { url: string | null; urlExpiresAt: string | null }

const kept = new Map<string, { path: string; expiresAt: number }>()
/** Links that failed. Rows may still contain them. */
const dead = new Set<string>()
const keptMax = 500
const spareMs = 60_000

/**
 * Returns the path of a result. Every answer has a new link to the same file; the first one is kept until it expires, so that an updated
 * row does not reload its picture. Only the path is used: files are loaded only from the page's own origin.
 */
export function resultPath(generationId: string, link: Link | null): string | undefined {
  if (!link?.url || link.urlExpiresAt === null) return undefined
  const known = kept.get(generationId)
  if (known && known.expiresAt > Date.now() + spareMs) return known.path
  const { pathname } = new URL(link.url)
  if (dead.has(pathname)) return pathname
  kept.set(generationId, { path: pathname, expiresAt: Date.parse(link.urlExpiresAt) })
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  return pathname
}

/** Drops a failed link. The next answer brings a new one. */
export function dropLink(generationId: string, path: string): void {
  dead.add(path)
  if (kept.get(generationId)?.path === path) kept.delete(generationId)
}
