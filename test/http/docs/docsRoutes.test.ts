import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { helpAt, screensWithHelp } from '../../../src/admin-ui/help.ts'
import { docUrlsAt } from '../../../src/contract/docUrl.ts'
import { errorReference } from '../../../src/contract/errorReference.ts'
import { docsRoutes } from '../../../src/http/docs/docsRoutes.ts'
import { escapeHtml } from '../../../src/http/docs/escapeHtml.ts'
import { guidesOf, loadLibrary } from '../../../src/http/docs/guides.ts'

const root = join(import.meta.dirname, '../../..')
const publicUrl = 'https://studio.example'
const document = { openapi: '3.1.1', info: { title: 'Atelier' } }
/** Like a deployment with an external database, where the OpenAPI document needs a key. */
const door = docsRoutes(document, { open: false, publicUrl, count: async () => undefined })
const app = Fastify()
await app.register(door.plugin)

const library = loadLibrary(root)
const guides = guidesOf(library)
const pages = ['/docs/guides', ...guides.map(({ path }) => path), '/docs/errors']
const htmlOf = new Map(await Promise.all(pages.map(async (path) => [path, (await app.inject(path)).body] as const)))

const attributes = (html: string, name: string) => [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

test('every page of docs/ and the README of every client is a public guide', async () => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const readmes = readdirSync(join(root, 'clients')).map((name) => `clients/${name}/README.md`)
  const wanted = [...files.map((name) => `docs/${name}`), ...readmes]
  expect(guides.map(({ file }) => file).toSorted()).toEqual(wanted.toSorted())
  for (const { path, title } of guides) {
    const { statusCode, headers, body } = await app.inject(path)
    expect({ path, statusCode, type: headers['content-type'] }).toEqual({ path, statusCode: 200, type: 'text/html; charset=utf-8' })
    expect(body).toContain(`<title>${escapeHtml(title)} · Atelier</title>`)
  }
})

test.each(screensWithHelp)('the help of the screen %s is a section of a guide', (screen) => {
  const [path = '', fragment = ''] = (helpAt(`/team_1/${screen}/any`) ?? '').split('#')
  expect(attributes(htmlOf.get(path) ?? '', 'id')).toContain(fragment)
})

test('the navigation marks the current guide, and the guide Decisions for each decision', () => {
  const listed = library.groups.flatMap((group) => group.guides).map(({ path }) => [path, path, 'page'] as const)
  const decided = library.decisions.map(({ path }) => [path, '/docs/guides/decisions', 'true'] as const)
  expect(decided.length).toBeGreaterThan(20)
  for (const [path, entry, mark] of [...listed, ...decided]) {
    const [, navigation = ''] = /<nav class="pages"(.*?)<\/nav>/s.exec(htmlOf.get(path) ?? '') ?? []
    const marked = [...navigation.matchAll(/<a href="([^"]*)" aria-current="([^"]*)"/g)].map(([, href, value]) => [href, value])
    expect([path, ...marked]).toEqual([path, [entry, mark]])
  }
})

test('guides link to decisions on the site, and decisions to each other', () => {
  const links = (path: string) => attributes(htmlOf.get(path) ?? '', 'href')
  const index = '/docs/guides/decisions'
  expect(links('/docs/guides/architecture')).toEqual(expect.arrayContaining([index, `${index}/0004-database-clock`]))
  expect(links(index)).toEqual(expect.arrayContaining(library.decisions.map(({ path }) => path)))
  expect(links(`${index}/0004-database-clock`)).toContain(`${index}/0011-claim-routines-in-a-table`)
})

test.each(pages)('every link of %s has an existing target', async (path) => {
  const html = htmlOf.get(path) ?? ''
  const served = new Set(door.paths.map((each) => each.path))
  const broken = [...attributes(html, 'href'), ...attributes(html, 'src')].filter((href) => {
    if (href.startsWith('https://')) return false
    const [place = '', anchor] = href.split('#')
    const target = htmlOf.get(place === '' ? path : place)
    const isThere = place === '' || served.has(place)
    return !(isThere && (anchor === undefined || attributes(target ?? '', 'id').includes(anchor)))
  })
  expect(broken).toEqual([])
})

test.each(guides)('links of $file to files outside the site exist in the repository', ({ file }) => {
  const links = [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(root, dirname(file), path)))).toEqual([])
})

test('each refusal and each failure has the paragraph of its docUrl, with advice and a matching example', () => {
  const html = htmlOf.get('/docs/errors') ?? ''
  const ids = attributes(html, 'id')
  const entries = errorReference(docUrlsAt(publicUrl))
  expect(entries.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  const shown = new Set([...html.matchAll(/https:\/\/studio\.example\/docs\/errors#([\w-]+)/g)].map(([, id]) => id))
  expect(entries.filter(({ id, example }) => example && !shown.has(id))).toEqual([])
  expect(html.match(/What to do:/g)).toHaveLength(entries.length)
})

test.each(pages)('%s runs and loads only our own files, and shows the address of this service', async (path) => {
  const { headers, body } = await app.inject(path)
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(body).not.toMatch(/<script(?! type="module" src="\/docs\/)|<style| style="| on\w+="/)
  expect(attributes(body, 'src').filter((src) => !src.startsWith('/docs/'))).toEqual([])
  expect(body).not.toMatch(/\$(API|BASE|ORIGIN)\b|(?<!proxy_pass )http:\/\/127\.0\.0\.1:8080|atelier\.example\.com/)
})

test('a cached page is not sent again', async () => {
  const { headers } = await app.inject('/docs/guides/api')
  const again = await app.inject({ url: '/docs/guides/api', headers: { 'if-none-match': headers.etag } })
  expect(again).toMatchObject({ statusCode: 304, body: '' })
})

test('the search index contains headings of all pages, each with an existing anchor', async () => {
  const entries = (await app.inject('/docs/search.json')).json<{ path: string; page: string; heading: string; text: string }[]>()
  const astray = entries.filter(({ path }) => {
    const [place = '', anchor] = path.split('#')
    return !htmlOf.has(place) || (anchor !== undefined && !attributes(htmlOf.get(place) ?? '', 'id').includes(anchor))
  })
  expect(astray).toEqual([])
  expect(new Set(entries.map(({ path }) => path.split('#')[0]))).toEqual(new Set(pages.slice(1)))
  expect(entries.find(({ path }) => path === '/docs/guides/webhooks#checking-the-signature')?.text).toContain('X-Service-Signature')
})

test('the OpenAPI document stays closed although the guides are public', async () => {
  expect((await app.inject('/docs/openapi.json')).statusCode).toBe(404)
  expect((await app.inject('/docs')).body).toContain('Open the reference')
})

test('every page is also there as Markdown, and llms.txt lists the guides with their addresses', async () => {
  for (const path of pages.filter((each) => each !== '/docs/guides')) {
    const { statusCode, headers, body } = await app.inject(`${path}.md`)
    expect([path, statusCode, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
    expect(body).toMatch(/^# \S/)
  }
  const { body } = await app.inject('/docs/llms.txt')
  expect(body).toMatch(/^# Atelier\n\n> \S/)
  const listed = [...body.matchAll(/^- \[[^\]]+\]\(https:\/\/studio\.example(\S+)\.md\): \S/gm)].map(([, path = '']) => path)
  expect(listed).toEqual([...library.groups.flatMap((group) => group.guides.map(({ path }) => path)), '/docs/errors'])
})
