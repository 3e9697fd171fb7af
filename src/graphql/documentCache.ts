import type { DocumentNode } from 'graphql'

/** Documents that were read before, by their text. */
export type DocumentCache = { get(text: string): DocumentNode | undefined; set(text: string, document: DocumentNode): void }

/**
 * Keeps the documents that were asked for last, as long as their texts together are not longer than `characters`: what is kept of each is
 * many times its text, and whoever sends ever new ones must not fill our memory. Longer ones than a tenth of that are read each time.
 */
export function makeDocumentCache(characters: number): DocumentCache {
  const kept = new Map<string, DocumentNode>()
  let length = 0
  const drop = (text: string) => {
    if (kept.delete(text)) length -= text.length
  }
  return {
    get(text) {
      const document = kept.get(text)
      if (document) {
        kept.delete(text)
        kept.set(text, document)
      }
      return document
    },
    set(text, document) {
      if (text.length > characters / 10) return
      drop(text)
      kept.set(text, document)
      length += text.length
      for (const oldest of kept.keys()) {
        if (length <= characters) break
        drop(oldest)
      }
    },
  }
}
