import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'
import { fillInAddress, markKeyPlaceholders } from './placeholders.ts'
import { areTabs, type Example, renderExample, renderTabs } from './renderExamples.ts'

export type Heading = { id: string; text: string; depth: number }

/** A search result: a heading with the text below it. */
export type Section = { id: string; heading: string; text: string }

export type RenderedPage = {
  title: string
  /** The first paragraph, as text. */
  lead: string
  html: string
  /** The headings below the title. */
  headings: Heading[]
  sections: Section[]
}

export type RenderOptions = {
  /** This service's address, without a trailing slash. */
  origin: string
  /** Resolves a link on the site. A link that resolves to undefined becomes plain text. */
  linkOf(href: string): string | undefined
}

/** Longer code blocks are not searchable. */
const searchableLinesMax = 15

/**
 * Renders a guide as HTML. HTML in the Markdown is escaped. Consecutive code blocks, one per language, become tabs. A heading can set its
 * anchor: `### Title {#anchor}`.
 */
export function renderMarkdown(markdown: string, options: RenderOptions): RenderedPage {
  const marked = new Marked({ gfm: true })
  marked.use({ renderer: rendererOf(options) })
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space')
  const slugs = makeSlugs()
  const page: RenderedPage = { title: '', lead: '', html: '', headings: [], sections: [] }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token.type === 'heading') {
      const heading = headingOf(token as Tokens.Heading, slugs)
      if (heading.depth === 1) page.title = heading.text
      else page.headings.push(heading)
      page.sections.push({ id: heading.depth === 1 ? '' : heading.id, heading: heading.text, text: '' })
      page.html += renderHeading(heading, marked.Parser.parseInline(withoutAnchor(token as Tokens.Heading)))
      continue
    }
    if (token.type === 'paragraph' && page.lead === '') page.lead = textOf(token)
    const examples = examplesFrom(tokens, at)
    addText(page.sections, examples.length > 0 ? searchableCode(examples) : textOf(token))
    if (areTabs(examples)) page.html += renderTabs(examples, { id: `example-${at}`, origin: options.origin })
    else if (examples.length > 0) page.html += examples.map((example) => renderExample(example, options.origin)).join('')
    else page.html += marked.parser([token])
    at += Math.max(0, examples.length - 1)
  }
  return page
}

function rendererOf({ origin, linkOf }: RenderOptions) {
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    codespan: ({ text }: Tokens.Codespan) => `<code>${markKeyPlaceholders(fillInAddress(text, origin))}</code>`,
    code: ({ text, lang = '' }: Tokens.Code) => renderExample({ code: text, language: lang.split(' ')[0] ?? '' }, origin),
    link(this: { parser: { parseInline(tokens: Token[]): string } }, { href, tokens }: Tokens.Link): string {
      const target = linkOf(href)
      const text = this.parser.parseInline(tokens)
      return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
    },
    image: (token: Tokens.Image) => renderImage(token, linkOf),
    table(this: { parser: { parseInline(tokens: Token[]): string } }, { header, rows }: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map((cell) => renderCell(cell, tag, this.parser.parseInline(cell.tokens))).join('')}</tr>`
      return `<div class="table" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`
    },
  }
}

/** A picture with a variant beside it whose name ends with `-dark` is shown by the colour scheme of the reader. */
function renderImage({ href, text }: Tokens.Image, linkOf: RenderOptions['linkOf']): string {
  const target = linkOf(href)
  if (target === undefined) return escapeHtml(text)
  const image = `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`
  const isOurs = !/^(?:[a-z]+:|\/)/i.test(href)
  const dark = isOurs ? linkOf(href.replace(/(\.\w+)$/, '-dark$1')) : undefined
  if (dark === undefined) return image
  return `<picture><source srcset="${escapeHtml(dark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
}

/** An empty header cell becomes `td`, because an empty `th` is not accessible. */
function renderCell({ text }: Tokens.TableCell, tag: 'th' | 'td', html: string): string {
  return tag === 'th' && text.trim() !== '' ? `<th scope="col">${html}</th>` : `<td>${html}</td>`
}

function renderHeading({ id, text, depth }: Heading, html: string): string {
  if (depth === 1) return `<h1 tabindex="-1">${html}</h1>`
  return `<h${depth} id="${escapeHtml(id)}">${html}<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>`
}

const explicitAnchor = /\s*\{#([\w-]+)\}$/

function headingOf(token: Tokens.Heading, slugOf: (text: string) => string): Heading {
  const anchor = explicitAnchor.exec(token.text)?.[1]
  const text = textOf({ ...token, tokens: withoutAnchor(token) })
  return { id: anchor ?? slugOf(text), text, depth: token.depth }
}

function withoutAnchor({ tokens }: Tokens.Heading): Token[] {
  return tokens.map((token) =>
    token.type === 'text' ? { ...token, text: (token as Tokens.Text).text.replace(explicitAnchor, '') } : token,
  )
}

/** Creates the same anchors as GitHub, so that links work in both places. */
function makeSlugs(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}

function examplesFrom(tokens: readonly Token[], start: number): Example[] {
  const others = tokens.slice(start).findIndex(({ type }) => type !== 'code')
  const blocks = tokens.slice(start, others < 0 ? undefined : start + others) as Tokens.Code[]
  return blocks.map(({ text, lang = '' }) => ({ code: text, language: lang.split(' ')[0] ?? '' }))
}

function searchableCode(examples: readonly Example[]): string {
  return examples
    .map(({ code }) => code)
    .filter((code) => code.split('\n').length <= searchableLinesMax)
    .join(' ')
}

function addText(sections: Section[], text: string): void {
  const last = sections.at(-1)
  if (last && text !== '') last.text = `${last.text} ${text}`.replace(/\s+/g, ' ').trim()
}

/** The plain text of a token. */
function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map(({ tokens }) => tokens.map(textOf).join('')).join(' ')).join(' ')
  }
  const inner = (token as Tokens.List).items ?? (token as Tokens.Generic).tokens
  if (inner) return inner.map(textOf).join(token.type === 'list' ? ' ' : '')
  return 'text' in token && typeof token.text === 'string' ? unescapeText(token.text) : ''
}

function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" })[name] ?? '')
}
