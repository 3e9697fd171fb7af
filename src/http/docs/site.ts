import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorsPath } from '../../contract/docUrl.ts'
import { errorsMarkdown } from './errorsPage.ts'
import { escapeHtml } from './escapeHtml.ts'
import { type Guide, guidesOf, guidesPath, type Library, resolveLink } from './guides.ts'
import { type RenderedPage, renderMarkdown } from './renderMarkdown.ts'
import { renderPage } from './renderPage.ts'

/** `name`: the title in the navigation and the search. */
export type SitePage = { path: string; name: string; rendered: RenderedPage }

/** One entry of the search index. `path` includes the anchor. */
export type SearchEntry = { path: string; page: string; heading: string; text: string }

export type Site = {
  /** All guides and the errors page, in the order of the navigation. */
  pages(): Promise<SitePage[]>
  html(path: string): Promise<string>
  /** The page that lists the guides. */
  overview(): Promise<string>
  searchEntries(): Promise<SearchEntry[]>
  /** The Markdown of a page, for programs that read the docs. */
  markdown(path: string): Promise<string>
  /** The index of these pages, as https://llmstxt.org describes it. */
  llmsText(): Promise<string>
}

/** Renders the guides of a release at the first request and caches them. `origin`: this service's address without a trailing slash. */
export function makeSite(library: Library, origin: string): Site {
  let rendered: Promise<SitePage[]> | undefined
  const pages = () => {
    rendered ??= renderAll(library, origin).catch((error: unknown) => {
      rendered = undefined
      throw error
    })
    return rendered
  }
  return {
    pages,
    html: async (path) => {
      const page = (await pages()).find((each) => each.path === path)
      if (!page) throw new Error(`there is no page ${path}`)
      const place = path === errorsPath ? errorsPath : guidesPath
      return renderPage({ ...page.rendered, title: page.name, path, place }, library.groups)
    },
    overview: async () => {
      const all = await pages()
      const cards = library.groups.map(({ title, guides }) => `<h2>${escapeHtml(title)}</h2>${cardsOf(guides, all)}`)
      const html = `<h1 tabindex="-1">Guides</h1><p class="lead">${lead}</p>${cards.join('')}`
      return renderPage({ title: 'Guides', path: guidesPath, place: guidesPath, html, headings: [] }, library.groups)
    },
    markdown: (path) => markdownOf(library, origin, path),
    llmsText: async () => {
      const all = await pages()
      const lines = (title: string, paths: readonly string[]) => [
        `## ${title}\n`,
        ...all.flatMap((page) => entryFor(page, paths, origin)),
        '',
      ]
      const groups = library.groups.flatMap(({ title, guides }) =>
        lines(
          title,
          guides.map(({ path }) => path),
        ),
      )
      return ['# Atelier', '', `> ${lead}`, '', ...groups, ...lines('Reference', [errorsPath])].join('\n')
    },
    searchEntries: async () =>
      (await pages()).flatMap(({ path, name, rendered: { sections } }) =>
        sections.map(({ id, heading, text }) => ({ path: id === '' ? path : `${path}#${id}`, page: name, heading, text })),
      ),
  }
}

const lead = 'One way to run model generations: images, video, audio and 3D, with keys, exact prices and signed webhooks.'

function entryFor({ path, name, rendered }: SitePage, paths: readonly string[], origin: string): string[] {
  return paths.includes(path) ? [`- [${name}](${origin}${path}.md): ${firstSentence(rendered.lead)}`] : []
}

async function markdownOf(library: Library, origin: string, path: string): Promise<string> {
  if (path === errorsPath) return errorsMarkdown(origin)
  const guide = guidesOf(library).find((each) => each.path === path)
  if (!guide) throw new Error(`there is no page ${path}`)
  return readFile(join(library.root, guide.file), 'utf8')
}

function cardsOf(guides: readonly Guide[], pages: readonly SitePage[]): string {
  const cards = guides.map(({ path, title }) => {
    const page = pages.find((each) => each.path === path)?.rendered
    return `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(firstSentence(page?.lead ?? ''))}</p></li>`
  })
  return `<ul class="cards">${cards.join('')}</ul>`
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text
}

async function renderAll(library: Library, origin: string): Promise<SitePage[]> {
  const guides = guidesOf(library).map(async ({ title, file, path }) => {
    const markdown = await readFile(join(library.root, file), 'utf8')
    return { path, name: title, rendered: renderMarkdown(markdown, { origin, linkOf: (href) => resolveLink(library, file, href) }) }
  })
  const errors = renderMarkdown(errorsMarkdown(origin), { origin, linkOf: (href) => resolveLink(library, 'docs/errors.md', href) })
  return [...(await Promise.all(guides)), { path: errorsPath, name: 'Errors', rendered: errors }]
}
