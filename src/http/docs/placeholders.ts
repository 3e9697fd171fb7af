import { escapeHtml } from './escapeHtml.ts'

/** Sample addresses in the guides. */
const sampleOrigins = /http:\/\/127\.0\.0\.1:8080|https:\/\/atelier\.example\.com/g

/** The clients read address and key from the environment. These private-use characters mark the places of the key argument. */
const keyArguments = { typescript: '\uE001', python: '\uE000' }
const typescriptClient = /\bnew Atelier\(\)/g
const pythonClient = /\b((?:Async)?Atelier)\(\)(?! {2}#)/g

/** Replaces the sample addresses in the code of a guide by this service's address. `origin`: without a trailing slash. */
export function fillInAddress(code: string, origin: string): string {
  return code
    .replace(typescriptClient, `new Atelier({ baseUrl: '${origin}'${keyArguments.typescript} })`)
    .replace(pythonClient, `$1(base_url="${origin}"${keyArguments.python})`)
    .replace(sampleOrigins, origin)
    .replace(/\$(?:API|BASE|ATELIER_URL)\b|\{base_url\}/g, `${origin}/api/v1`)
    .replace(/\$ORIGIN\b/g, origin)
}

/** Placeholders of the reader's key, and the text that a key needs before and after it. */
const keys: readonly { pattern: string; before: string; after: string; sample?: string }[] = [
  { pattern: keyArguments.typescript, before: ", key: '", after: "'", sample: '' },
  { pattern: keyArguments.python, before: ', key="', after: '"', sample: '' },
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
