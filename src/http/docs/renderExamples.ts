import { escapeHtml } from './escapeHtml.ts'
import { highlightCode } from './highlightCode.ts'
import { fillInAddress } from './placeholders.ts'

/** A fenced block of a guide. */
export type Example = { code: string; language: string }

/** Titles of the languages with tabs. The keys also store the reader's choice. */
const tabs: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python', cli: 'Command line' }
const titles: Record<string, string> = {
  ...tabs,
  sh: 'Shell',
  go: 'Go',
  json: 'JSON',
  http: 'HTTP',
  graphql: 'GraphQL',
  nginx: 'nginx',
  yaml: 'YAML',
  ini: 'Settings',
  sql: 'SQL',
}

/** True when consecutive blocks are the same example in several languages, so that tabs show one at a time. */
export function areTabs(examples: readonly Example[]): boolean {
  const languages = examples.map(({ language }) => language)
  return languages.length > 1 && new Set(languages).size === languages.length && languages.every((language) => language in tabs)
}

/** Renders examples as tabs. `id`: identifier of the group on its page. `origin`: this service's address. */
export function renderTabs(examples: readonly Example[], { id, origin }: { id: string; origin: string }): string {
  const parts = examples.map((example, index) => ({ ...example, id: `${id}-${example.language}`, isFirst: index === 0 }))
  const heads = parts.map(
    (part) =>
      `<button type="button" role="tab" id="${part.id}" data-language="${part.language}" aria-controls="${part.id}-code" aria-selected="${part.isFirst}" tabindex="${part.isFirst ? 0 : -1}">${tabs[part.language] ?? part.language}</button>`,
  )
  const panels = parts.map(
    (part) =>
      `<div role="tabpanel" id="${part.id}-code" aria-labelledby="${part.id}"${part.isFirst ? '' : ' hidden'}>${renderCode(part, origin)}</div>`,
  )
  return `<div class="example" data-tabs><div class="example-head"><div role="tablist" aria-label="Language">${heads.join('')}</div>${copyButton}</div>${panels.join('')}</div>`
}

export function renderExample(example: Example, origin: string): string {
  const title = titles[example.language] ?? ''
  return `<div class="example"><div class="example-head"><span>${title}</span>${copyButton}</div>${renderCode(example, origin)}</div>`
}

const copyButton = '<button type="button" class="copy">Copy</button>'

/** `tabindex` makes scrolling possible with the keyboard. Proxy settings keep their addresses, which are upstream addresses. */
function renderCode({ code, language }: Example, origin: string): string {
  const own = language === 'nginx' ? code : fillInAddress(code, origin)
  return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${highlightCode(own, language)}</code></pre>`
}
