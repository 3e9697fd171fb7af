import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/**
 * An LRU cache of parsed documents by their texts. The texts have at most `characters` together, because a parsed document takes many times
 * the memory of its text. A document longer than a tenth of the limit is not cached.
 */
export function makeDocumentCache(characters: number): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: characters,
    maxEntrySize: Math.floor(characters / 10),
    sizeCalculation: (_document, text) => Math.max(1, text.length),
  })
}
