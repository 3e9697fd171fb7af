import { escapeHtml } from './escapeHtml.ts'
import { highlightCode } from './highlightCode.ts'
import { fillInAddress } from './placeholders.ts'

/** A fenced block of a guide. */
export type Example = { code: string; language: string }

/** What the languages of examples are called, and by which name a reader's choice of one is kept. */
const tabs: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }
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

/** Whether blocks that follow one another say the same in several languages, so that one of them is shown at a time. */
export function areTabs(examples: readonly Example[]): boolean {
  const languages = examples.map(({ language }) => language)
  return languages.length > 1 && new Set(languages).size === languages.length && languages.every((language) => language in tabs)
}

/** `id`: of the group, on its page. `origin`: this service's address. */
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

/** What scrolls can be reached by the keyboard. A proxy's own settings name the address behind it, which is not the reader's. */
function renderCode({ code, language }: Example, origin: string): string {
  const own = language === 'nginx' ? code : fillInAddress(code, origin)
  return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${highlightCode(own, language)}</code></pre>`
}
