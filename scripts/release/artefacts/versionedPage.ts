import { escapeHtml } from '../../../src/http/docs/escapeHtml.ts'

/** One version of the docs site. `prefix`: where it is, such as `/0.2.0`, or empty at the root. `pages`: their files, relative to it. */
export type DocsVersion = { version: string; prefix: string; pages: ReadonlySet<string> }

type Place = {
  /** The file of the page, such as `docs/guides/api/index.html`. */
  file: string
  /** The version that the page belongs to, and where it is. */
  current: DocsVersion
  /** All versions, the latest first. */
  versions: readonly [DocsVersion, ...DocsVersion[]]
  /** The address of the site without a trailing slash, or empty. */
  address: string
}

const startPage = 'docs/guides/index.html'
const ownPath = /( (?:href|src|srcset|data-path|data-url|data-viewer|data-samples)="|content="0; url=)\/docs(?=["/#?])/g

/**
 * Moves a page of a docs site below its prefix. Adds a canonical link to the latest version, the version selector, and a notice on earlier
 * versions. The selector consists of links, so it works without scripts.
 */
export function versionedPage(html: string, { file, current, versions, address }: Place): string {
  const moved = html.replaceAll(ownPath, (_, before: string) => `${before}${current.prefix}/docs`)
  if (!moved.includes('<header class="bar">')) return moved
  const [latest] = versions
  const isEarlier = current.version !== latest.version
  const links = versions.map((each) => {
    const mark = each.version === current.version ? ' aria-current="true"' : ''
    return `<li><a href="${pathIn(each, file)}"${mark}>${escapeHtml(each.version)}${each === latest ? ' (latest)' : ''}</a></li>`
  })
  const [shown, newest] = [escapeHtml(current.version), escapeHtml(latest.version)]
  const summary = `<summary aria-label="Version ${shown}">${shown}</summary>`
  const selector = `<details class="versions" data-versions>${summary}<ul>${links.join('')}</ul></details>`
  const goTo = `${latest.pages.has(file) ? 'The same page' : 'The docs'} of ${newest}, the latest release`
  const link = `<a href="${pathIn(latest, file)}">${goTo}</a>`
  const notice = `<p class="earlier-version" role="note" data-versions>This page is about ${shown}. ${link}</p>`
  const head = `<link rel="canonical" href="${escapeHtml(address)}${pathIn(latest, file)}"><link rel="stylesheet" href="/versions.css">`
  return insert(
    insert(insert(moved, '</head>', 'before', head), '<nav aria-label="Places">', 'before', selector),
    '</header>',
    'after',
    isEarlier ? notice : '',
  )
}

/** The same page in a version that has it, or the start page of that version. */
function pathIn({ prefix, pages }: DocsVersion, file: string): string {
  return `${prefix}/${(pages.has(file) ? file : startPage).replace(/index\.html$/, '')}`
}

function insert(html: string, mark: string, side: 'before' | 'after', text: string): string {
  if (!html.includes(mark)) throw new Error(`a page of the docs has no ${mark}`)
  return html.replace(mark, () => (side === 'before' ? text + mark : mark + text))
}
