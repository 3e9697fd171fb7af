import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeDiscovery } from '../../src/auth/oidcDiscovery.ts'
import { type AddressSettings, providerConnection } from '../../src/auth/providerConnection.ts'
import { parseCidrs } from '../../src/network/addresses.ts'
import { testClock } from '../support/clock.ts'
import { anIdentityProvider } from '../support/people/identityProvider.ts'

const closed: AddressSettings = { allowedPrivateAddresses: [], ownAddresses: { listeners: [], names: [] } }
const opened: AddressSettings = { ...closed, allowedPrivateAddresses: parseCidrs('127.0.0.0/8') }

async function aProvider(endpoints: Record<string, string> = {}) {
  const provider = await anIdentityProvider(testClock())
  provider.endpoints = endpoints
  onTestFinished(provider.close)
  return provider.settings
}

/** A private server on another origin than the issuer's, which counts its requests. */
async function elsewhere(answer: (path: string) => { status?: number; headers?: Record<string, string>; body?: string } = () => ({})) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const { status = 200, headers = {}, body = '{"keys":[]}' } = answer(request.url ?? '')
    response.writeHead(status, { connection: 'close', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('the issuer may be private, with endpoints on its own origin', async () => {
  const { issuer } = await aProvider()
  expect(await makeDiscovery({ issuer }, closed)()).toMatchObject({ issuer, tokenEndpoint: `${issuer}/token` })
})

test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
  'a private %s on another origin is refused without a request',
  async (field) => {
    const { seen, origin } = await elsewhere()
    const { issuer } = await aProvider({ [field]: `${origin}/x` })
    await expect(makeDiscovery({ issuer }, closed)()).rejects.toThrow(`${origin}/x is private: allow it with ALLOWED_PRIVATE_ADDRESSES`)
    expect(seen).toEqual([])
  },
)

test('a name that leads to a private address is refused like the address', async () => {
  const { seen, origin } = await elsewhere()
  const { issuer } = await aProvider({ jwks_uri: `${origin.replace('127.0.0.1', 'localhost')}/keys` })
  await expect(makeDiscovery({ issuer }, closed)()).rejects.toThrow('is private')
  expect(seen).toEqual([])
})

test('endpoints on another origin work inside ALLOWED_PRIVATE_ADDRESSES, but never at an address of the service', async () => {
  const { seen, origin } = await elsewhere()
  const { issuer } = await aProvider({ jwks_uri: `${origin}/keys` })
  const { keys } = await makeDiscovery({ issuer }, opened)()
  await expect(keys({ alg: 'ES256', kid: 'first' }, { payload: '', signature: '' })).rejects.toThrow('no applicable key')
  expect(seen).toEqual(['GET /keys'])

  const own = { listeners: [{ address: '127.0.0.1', port: Number(new URL(origin).port) }], names: [] }
  await expect(makeDiscovery({ issuer }, { ...opened, ownAddresses: own })()).rejects.toThrow('is private')
})

test('a redirect is not followed, also by the issuer itself', async () => {
  const target = await elsewhere()
  const { origin } = await elsewhere(() => ({ status: 302, headers: { location: `${target.origin}/keys` } }))
  const { fetchJson } = providerConnection(origin, opened)
  await expect(fetchJson(`${origin}/token`)).rejects.toThrow(`${origin}/token: redirect to ${target.origin}/keys not followed`)
  expect(target.seen).toEqual([])
})

test.each([
  ['a status outside 2xx', { status: 500 }, 'answered 500'],
  ['text', { body: 'hello' }, 'does not answer with JSON'],
  ['more than a megabyte', { body: `"${'x'.repeat(1_000_001)}"` }, 'larger'],
])('%s from the issuer is a fault', async (_words, answer, fault) => {
  const { origin } = await elsewhere(() => answer)
  await expect(providerConnection(origin, closed).fetchJson(`${origin}/x`)).rejects.toThrow(fault)
})
