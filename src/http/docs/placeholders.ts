import { escapeHtml } from './escapeHtml.ts'

/** Sample addresses in the guides. */
const sampleOrigins = /http:\/\/127\.0\.0\.1:8080|https:\/\/atelier\.example\.com/g

/** Reads of the address from the environment. The site shows the address itself. */
const addressLookUp = /process\.env(?:\['ATELIER_URL'\]|\.ATELIER_URL) \?\? ('[^']*')/g

/** The Python client reads address and key from the environment. This private-use character marks the place of the key argument. */
const keyArgument = '\uE000'
const pythonClient = /\b((?:Async)?Atelier)\(\)(?! {2}#)/g

/** Replaces the sample addresses in the code of a guide by this service's address. `origin`: without a trailing slash. */
export function fillInAddress(code: string, origin: string): string {
  return code
    .replace(addressLookUp, '$1')
    .replace(pythonClient, `$1(base_url="${origin}/api/v1"${keyArgument})`)
    .replace(sampleOrigins, origin)
    .replace(/\$(?:API|BASE|ATELIER_URL)\b|\{base_url\}/g, `${origin}/api/v1`)
    .replace(/\$ORIGIN\b/g, origin)
}

/** Placeholders of the reader's key, and the text that a key needs before and after it. */
const keys: readonly { pattern: string; before: string; after: string; sample?: string }[] = [
  { pattern: String.raw`process\.env(?:\['ATELIER_KEY'\]|\.ATELIER_KEY)(?: \?\? '')?`, before: "'", after: "'" },
  { pattern: keyArgument, before: ', key="', after: '"', sample: '' },
  { pattern: String.raw`\$(?:ATELIER_)?KEY\b|atl_…`, before: '', after: '' },
]

export const keyPattern = keys.map(({ pattern }) => pattern).join('|')
const anyKey = new RegExp(keyPattern, 'g')
const rules = keys.map(({ pattern, ...rule }) => ({ ...rule, isWhole: new RegExp(`^(?:${pattern})$`) }))

/** Renders code as HTML and marks each placeholder that the page's script replaces by the reader's key. */
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
