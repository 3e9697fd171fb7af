import { escapeHtml } from './escapeHtml.ts'

/** Addresses that stand in the guides for the reader's own. */
const sampleOrigins = /http:\/\/127\.0\.0\.1:8080|https:\/\/atelier\.example\.com/g

/** Where programs look for the address, in each language: on the site they are told it outright. */
const addressLookUps = [/process\.env(?:\['ATELIER_URL'\]|\.ATELIER_URL) \?\? ('[^']*')/g, /os\.environ\.get\("ATELIER_URL", ("[^"]*")\)/g]

/** Code of a guide with this service's address in place of the sample's. `origin`: without a slash at its end. */
export function withOwnAddress(code: string, origin: string): string {
  return addressLookUps
    .reduce((text, lookUp) => text.replace(lookUp, '$1'), code)
    .replace(sampleOrigins, origin)
    .replace(/\$(?:API|BASE|ATELIER_URL)\b|\{base_url\}/g, `${origin}/api/v1`)
    .replace(/\$ORIGIN\b/g, origin)
}

/** What stands for the reader's key, each with the quotes that a key needs in its place. */
const keys: readonly { pattern: string; quote: string }[] = [
  { pattern: String.raw`process\.env(?:\['ATELIER_KEY'\]|\.ATELIER_KEY)(?: \?\? '')?`, quote: "'" },
  { pattern: String.raw`os\.environ\["ATELIER_KEY"\]`, quote: '"' },
  { pattern: String.raw`\$(?:ATELIER_)?KEY\b|atl_…`, quote: '' },
]

export const keyPattern = keys.map(({ pattern }) => pattern).join('|')
const anyKey = new RegExp(keyPattern, 'g')

/** Text of code as HTML, with a mark around each place where the page's script puts the key that the reader has typed. */
export function markKeys(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(anyKey)) {
    const quote = keys.find(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(match[0]))?.quote ?? ''
    html += `${escapeHtml(text.slice(end, match.index))}<span data-key="${escapeHtml(quote)}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(end))
}
