import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const tool = await testEndpoint(services)
afterAll(async () => {
  await tool.app.close()
  await close()
})

const types = '{ __schema { types { name } } }'
const ask = (query: string, acceptEncoding: string) => tool.send(JSON.stringify({ query }), { 'accept-encoding': acceptEncoding })

test('the response of a query is compressed for a client that accepts it', async () => {
  const plain = await ask(types, 'identity')
  const compressed = await ask(types, 'br, gzip')
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(gunzipSync(compressed.rawPayload)).toEqual(plain.rawPayload)
})

test('the length of a response with a new secret does not depend on text of the request: mutations are not compressed', async () => {
  const creates = Array.from({ length: 20 }, (_, index) => `a${index}: createTeam(input: { name: "Team ${index}" }) { id name }`)
  const response = await ask(`mutation { ${creates.join(' ')} }`, 'gzip')
  expect(response.rawPayload.length).toBeGreaterThan(1024)
  expect(response.headers).not.toHaveProperty('content-encoding')
})

test('a response of one packet is not compressed', async () => {
  expect((await ask('{ viewer { kind } }', 'gzip')).headers).not.toHaveProperty('content-encoding')
})
