import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/**
 * Keeps the documents that were asked for last, by their texts, as long as those together are not longer than `characters`: what is
 * kept of each is many times its text, and whoever sends ever new ones must not fill our memory. Longer ones than a tenth of that are
 * read each time.
 */
export function makeDocumentCache(characters: number): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: characters,
    maxEntrySize: Math.floor(characters / 10),
    sizeCalculation: (_document, text) => Math.max(1, text.length),
  })
}
