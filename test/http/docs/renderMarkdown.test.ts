import { expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/http/docs/renderMarkdown.ts'

const options = { origin: 'https://studio.example', linkOf: (href: string) => (href.startsWith('no:') ? undefined : href) }
const htmlOf = (markdown: string) => renderMarkdown(markdown, options).html

test('HTML in Markdown is escaped', () => {
  expect(htmlOf('<script>alert(1)</script>\n\nA <b onclick="x()">word</b> & `<i>`')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt;<p>A &lt;b onclick=&quot;x()&quot;&gt;word&lt;/b&gt; &amp; <code>&lt;i&gt;</code></p>\n',
  )
})

test('a link without a target becomes plain text', () => {
  expect(htmlOf('[source](no:where) and [page](/docs)')).toBe('<p>source and <a href="/docs">page</a></p>\n')
})

test('a picture with a dark variant is shown by the colour scheme; others and those of other sites are shown as they are', () => {
  const there = ['pictures/keys.webp', 'pictures/keys-dark.webp', 'pictures/map.webp']
  const linkOf = (href: string) => (there.includes(href) ? `/docs/${href}` : href.startsWith('https:') ? href : undefined)
  const html = (markdown: string) => renderMarkdown(markdown, { ...options, linkOf }).html
  expect(html('![Keys](pictures/keys.webp)')).toBe(
    '<p><picture><source srcset="/docs/pictures/keys-dark.webp" media="(prefers-color-scheme: dark)"><img src="/docs/pictures/keys.webp" alt="Keys" loading="lazy"></picture></p>\n',
  )
  expect(html('![Map](pictures/map.webp)')).toBe('<p><img src="/docs/pictures/map.webp" alt="Map" loading="lazy"></p>\n')
  expect(html('![Far](https://example.com/a.png)')).toBe('<p><img src="https://example.com/a.png" alt="Far" loading="lazy"></p>\n')
  expect(html('![Gone](pictures/gone.webp)')).toBe('<p>Gone</p>\n')
})

test('headings have the same anchors as on GitHub, or an explicit one', () => {
  const { title, headings } = renderMarkdown('# T\n\n## What is `a_b`, and why?\n\n## Again\n\n## Again\n\n### `code` {#said-so}', options)
  expect(title).toBe('T')
  expect(headings).toEqual([
    { id: 'what-is-a_b-and-why', text: 'What is a_b, and why?', depth: 2 },
    { id: 'again', text: 'Again', depth: 2 },
    { id: 'again-1', text: 'Again', depth: 2 },
    { id: 'said-so', text: 'code', depth: 3 },
  ])
})

test('consecutive code blocks in several languages become tabs, and the first one is shown', () => {
  const html = htmlOf('```sh\ncurl $API\n```\n\n```ts\nrun()\n```\n\n```python\nrun()\n```')
  expect([...html.matchAll(/role="tab" .*?>(\w+)</g)].map(([, name]) => name)).toEqual(['curl', 'TypeScript', 'Python'])
  expect(html.match(/role="tabpanel"[^>]*? hidden/g)).toHaveLength(2)
  expect(html.match(/class="copy"/g)).toHaveLength(1)
  expect(htmlOf('```sh\na\n```\n\n```json\n{}\n```')).not.toContain('role="tab"')
})

test('code contains the address of this service and marks each key placeholder, quoted for its language', () => {
  const code = [
    '```ts',
    'const atelier = new Atelier()',
    '```',
    'then',
    '```python',
    'atelier = Atelier()',
    '```',
    'then',
    '```sh',
    'curl "$API/account" -H "Authorization: Bearer $KEY"',
    '```',
  ].join('\n')
  const html = htmlOf(code)
  const text = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
  expect(text).toContain("const atelier = new Atelier({ baseUrl: 'https://studio.example' })")
  expect(text).toContain('atelier = Atelier(base_url="https://studio.example")')
  expect(text).toContain('curl "https://studio.example/api/v1/account" -H "Authorization: Bearer $KEY"')
  const around = [...html.matchAll(/data-before="([^"]*)" data-after="([^"]*)"/g)].map(([, before, after]) => [before, after])
  expect(around).toEqual([
    [', key: &#39;', '&#39;'],
    [', key=&quot;', '&quot;'],
    ['', ''],
  ])
})

test('highlighting does not change the text of code', () => {
  const code = 'const a = `x ${"y"} // no` // <b>yes</b>\nif (a !== \'https://x\') run(/* in\nside */ 1)'
  const html = htmlOf(`\`\`\`ts\n${code}\n\`\`\``)
  const [, shown = ''] = /<code>(.*)<\/code>/s.exec(html) ?? []
  expect(shown).toContain('<span class="comment">// &lt;b&gt;yes&lt;/b&gt;</span>')
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  expect(shown.replace(/<[^>]*>/g, '').replace(/&#?\w+;/g, (entity) => entities[entity] ?? '')).toBe(code)
})
