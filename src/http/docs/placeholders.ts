import { escapeHtml } from './escapeHtml.ts'

/** Addresses that stand in the guides for the reader's own. */
const sampleOrigins = /http:\/\/127\.0\.0\.1:8080|https:\/\/atelier\.example\.com/g

/** Where programs look for the address: on the site they are told it outright. */
const addressLookUp = /process\.env(?:\['ATELIER_URL'\]|\.ATELIER_URL) \?\? ('[^']*')/g

/** A Python client looks for both by itself; this is the place behind its address where the key goes, and no character of a guide. */
const keyArgument = '\uE000'
const pythonClient = /\b((?:Async)?Atelier)\(\)(?! {2}#)/g

/** Code of a guide with this service's address in place of the sample's. `origin`: without a slash at its end. */
export function fillInAddress(code: string, origin: string): string {
  return code
    .replace(addressLookUp, '$1')
    .replace(pythonClient, `$1(base_url="${origin}/api/v1"${keyArgument})`)
    .replace(sampleOrigins, origin)
    .replace(/\$(?:API|BASE|ATELIER_URL)\b|\{base_url\}/g, `${origin}/api/v1`)
    .replace(/\$ORIGIN\b/g, origin)
}

/** What stands for the reader's key, and what a key needs around it in its place. */
const keys: readonly { pattern: string; before: string; after: string; sample?: string }[] = [
  { pattern: String.raw`process\.env(?:\['ATELIER_KEY'\]|\.ATELIER_KEY)(?: \?\? '')?`, before: "'", after: "'" },
  { pattern: keyArgument, before: ', key="', after: '"', sample: '' },
  { pattern: String.raw`\$(?:ATELIER_)?KEY\b|atl_…`, before: '', after: '' },
]

export const keyPattern = keys.map(({ pattern }) => pattern).join('|')
const anyKey = new RegExp(keyPattern, 'g')
const rules = keys.map(({ pattern, ...rule }) => ({ ...rule, isWhole: new RegExp(`^(?:${pattern})$`) }))

/** Text of code as HTML, with a mark around each place where the page's script puts the key that the reader has typed. */
export function markKeyPlaceholders(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(anyKey)) {
    html += escapeHtml(text.slice(end, match.index)) + mark(match[0])
    end = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(end))
}

function mark(found: string): string {
  const { before = '', after = '', sample = found } = rules.find(({ isWhole }) => isWhole.test(found)) ?? {}
  return `<span data-key data-before="${escapeHtml(before)}" data-after="${escapeHtml(after)}">${escapeHtml(sample)}</span>`
}
