type Link = { url: string | null; urlExpiresAt: string | null }

const kept = new Map<string, { path: string; expiresAt: number }>()
/** Those that failed: rows may tell them still. */
const dead = new Set<string>()
const keptMax = 500
const spareMs = 60_000

/**
 * Where the result of a generation is fetched. Every answer brings a new link to the same bytes; the first is kept while it lives, so that
 * a row which is told anew does not load its picture anew. Only its path is taken: the file comes from where the page comes from, and
 * nothing of another origin is ever loaded.
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

/** Lets go of a link that has failed: the next answer brings another. */
export function dropLink(generationId: string, path: string): void {
  dead.add(path)
  if (kept.get(generationId)?.path === path) kept.delete(generationId)
}
