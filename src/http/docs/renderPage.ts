import { errorsPath } from '../../contract/docUrl.ts'
import { escapeHtml } from './escapeHtml.ts'
import { type Guide, type GuideGroup, guidesPath } from './guides.ts'
import type { Heading } from './renderMarkdown.ts'

export const referencePath = '/docs'

/** The sections of the site in the top bar. */
const places = [
  { title: 'Guides', path: guidesPath },
  { title: 'Errors', path: errorsPath },
  { title: 'Reference', path: referencePath },
]

/** Renders the head of a page. Stylesheets and scripts are our own files. */
export function pageHead({ title, styles, scripts }: { title: string; styles: string[]; scripts: string[] }): string {
  return `<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/docs/icon.svg">
    ${styles.map((name) => `<link rel="stylesheet" href="/docs/${name}">`).join('')}
    ${scripts.map((name) => `<script type="module" src="/docs/${name}"></script>`).join('')}`
}

/** Renders the top bar: navigation, search, and on pages with examples a field for the key that the examples show. */
export function bar(current: string, { asksKey }: { asksKey: boolean }): string {
  const links = places.map(({ title, path }) => `<a href="${path}"${path === current ? ' aria-current="true"' : ''}>${title}</a>`)
  const key = `<label class="own-key">Your key <input id="own-key" type="password" autocomplete="off" spellcheck="false" placeholder="atl_…" title="Shown in the examples, kept only in this page"></label>`
  return `<header class="bar">
      <a class="brand" href="${guidesPath}"><img src="/docs/icon.svg" alt="" width="20" height="20">Atelier</a>
      <nav aria-label="Places">${links.join('')}</nav>
      <div class="search" role="search">
        <input id="search" type="search" role="combobox" aria-label="Search the docs" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search docs">
        <kbd aria-hidden="true">/</kbd>
        <div id="found-none" role="status"></div>
        <ul id="found" role="listbox" aria-label="Found" hidden></ul>
      </div>
      ${asksKey ? key : ''}
    </header>`
}

export type PageContent = {
  title: string
  /** Its path on this site. */
  path: string
  /** The section of the top bar that it belongs to. */
  place: string
  html: string
  headings: Heading[]
}

/** Renders a page of the site: navigation, content, and the table of contents. */
export function renderPage({ title, path, place, html, headings }: PageContent, groups: readonly GuideGroup[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    ${pageHead({ title: `${title} · Atelier`, styles: ['bar.css', 'guide.css', 'examples.css'], scripts: ['bar.js', 'guide.js'] })}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    ${bar(place, { asksKey: true })}
    <div id="page" data-path="${path}">
      ${navigation(path, groups)}
      <main id="content"><article>${html}</article></main>
      ${contents(headings)}
    </div>
    <p id="copied" role="status" class="unseen"></p>
  </body>
</html>
`
}

function navigation(current: string, groups: readonly GuideGroup[]): string {
  const mark = (path: string) => (path === current ? ' aria-current="page"' : current.startsWith(`${path}/`) ? ' aria-current="true"' : '')
  const link = ({ path, title }: Guide) => `<li><a href="${path}"${mark(path)}>${escapeHtml(title)}</a></li>`
  const lists = groups.map(({ title, guides }) => `<p>${escapeHtml(title)}</p><ul>${guides.map(link).join('')}</ul>`)
  return `<details class="pages"><summary>All guides</summary><nav aria-label="Guides">${lists.join('')}</nav></details>
      <nav class="pages" aria-label="Guides">${lists.join('')}</nav>`
}

/** Renders the table of contents. A page with many headings lists only the second level. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || (depth === 3 && headings.length <= 24))
  if (shown.length < 2) return ''
  const items = shown.map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}
