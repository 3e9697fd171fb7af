/**
 * @typedef {{ path: string, page: string, heading: string, text: string }} Entry
 * @typedef {Entry & { terms: string[] }} Found
 */

const foundMax = 12
/** The types come from the package, the code from our own server. Both files are beside this one: a published site has several versions. */
const library = new URL('minisearch.js', import.meta.url).href
const entriesFile = new URL('search.json', import.meta.url)

/** Loads the search index once. Searches make no requests. */
export async function openSearch() {
  const answer = await fetch(entriesFile, { credentials: 'omit' })
  if (!answer.ok) throw new Error('the search could not be read')
  const { default: MiniSearch } = /** @type {typeof import('minisearch')} */ (await import(library))
  /** @type {Entry[]} */
  const entries = await answer.json()
  const index = new MiniSearch({
    idField: 'path',
    fields: ['heading', 'page', 'text'],
    storeFields: ['path', 'page', 'heading', 'text'],
    // Names such as insufficient_credits are indexed as a whole and by their words.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), combineWith: 'AND' },
  })
  index.addAll(entries)
  return {
    /** @param {string} words @returns {Found[]} */
    find: (words) =>
      index
        .search(words)
        .slice(0, foundMax)
        .map(({ path, page, heading, text, terms }) => ({ path, page, heading, text, terms })),
  }
}

const snippetLength = 140

/**
 * The text around the first match, in pieces; matches are marked.
 * @param {Found} found
 * @returns {{ text: string, isMarked: boolean }[]}
 */
export function snippetOf({ text, terms }) {
  const pattern = new RegExp(`(${terms.map((term) => term.replace(/[^\p{L}\p{N}_]/gu, '\\$&')).join('|')})`, 'giu')
  const at = Math.max(0, text.search(pattern))
  const start = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1
  const piece = `${start > 0 ? '… ' : ''}${text.slice(start, start + snippetLength)}${text.length > start + snippetLength ? ' …' : ''}`
  return piece.split(pattern).map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
}
