import { afterAll, expect, test } from 'vitest'
import { graphqlRoutes } from '../../../src/graphql/graphqlRoutes.ts'
import { graphiql } from '../../../src/http/pages/graphiql.ts'
import { serviceToken, testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
const tool = await testEndpoint(services)
const embedded = await testEndpoint(services, { allowLocalIntrospection: true })
const proxied = await testEndpoint(services, { isProxied: () => true })
afterAll(async () => {
  await tool.app.close()
  await proxied.app.close()
  await embedded.app.close()
  await close()
})

const html = { accept: 'text/html' }
const paths = Object.keys(graphiql())

test('the page runs only our own script files and connects only to this origin', async () => {
  const { headers } = await embedded.app.inject({ url: '/graphql', headers: html })
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  const worker = await embedded.app.inject('/graphql/json.worker.js')
  expect(worker.headers['content-security-policy']).toBe("default-src 'none'")
})

test('the page and its script name no other host, and every file that they name is served', async () => {
  const page = (await embedded.app.inject({ url: '/graphql', headers: html })).body
  const start = (await embedded.app.inject('/graphql/start.js')).body
  expect(page + start).not.toMatch(/https?:|\/\/(?!graphql)/)
  expect(page).not.toMatch(/<script>|<script [^>]*>[^<]/)
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
  expect(named).toHaveLength(3)
  expect(paths).toEqual(expect.arrayContaining(named))
  expect(start).toContain("'.worker.js'")
  for (const label of ['json', 'graphql', 'editor']) expect(paths).toContain(`/graphql/${label}.worker.js`)
})

test('the browser stores no typed header and sends no cookie', async () => {
  const { body } = await embedded.app.inject('/graphql/start.js')
  expect(body).toContain('"shouldPersistHeaders":false')
  expect(body).toContain('"credentials":"omit"')
})

test.each(paths)('%s is open to browsers of the internal network, but not through a public listener', async (url) => {
  const asTool = { ...html, authorization: `Bearer ${serviceToken}` }
  for (const headers of [html, asTool]) {
    const response = await tool.app.inject({ url, headers })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(/^text\/(html|javascript|css); charset=utf-8$/)
    expect(response.rawPayload.length).toBeGreaterThan(100)
  }
  expect((await tool.app.inject({ url, headers: { ...html, authorization: 'Bearer guess' } })).statusCode).toBe(401)
  expect((await tool.app.inject({ url, headers: { ...html, origin: 'https://evil.test' } })).statusCode).toBe(403)
  const refused = await proxied.app.inject({ url, headers: html })
  expect(refused.statusCode).toBe(401)
  expect(refused.json()).toMatchObject({ error: { code: 'unauthorized' } })
  expect((await proxied.app.inject({ url, headers: asTool })).statusCode).toBe(200)
})

test('a document in the address is never run', async () => {
  const { statusCode, headers } = await tool.app.inject({
    url: `/graphql?query=${encodeURIComponent('mutation { createTeam(input: { name: "x" }) { id } }')}`,
    headers: { ...html, authorization: `Bearer ${serviceToken}` },
  })
  expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type: 'text/html; charset=utf-8' })
  expect((await services.pool.query('select count(*)::integer as teams from teams')).rows).toEqual([{ teams: 0 }])
})

test('every path of the page is known to the listener, for GET and HEAD only', () => {
  const door = graphqlRoutes(services, { serviceToken, allowLocalIntrospection: false, pages: graphiql() })
  const files = paths.filter((path) => path !== '/graphql').map((path) => ({ path, methods: ['GET'] }))
  expect(door.paths).toEqual([{ path: '/graphql', methods: ['GET', 'POST'] }, ...files])
})
