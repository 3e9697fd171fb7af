import { afterAll, expect, test } from 'vitest'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { ownAddressesOf } from '../../../src/network/ownAddresses.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aFileServer } from '../../support/http/fileServer.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'
import { aSubscription } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ settings: { allowedPrivateAddresses: parseCidrs('127.0.0.0/8') } })
afterAll(app.close)
const team = await aTeamWithKey(app.services)

test('a link to the service itself is refused without a request, also when the operator allows private addresses', async () => {
  for (const url of [`${app.origin}/docs`, `${app.origin}/metrics`, `http://0.0.0.0:${app.port}/docs`]) {
    const answer = await app.ask('POST /files', { key: team.value, body: { url } })
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'file_fetch_failed', details: { cause: 'private_address' } } } })
  }
})

test('a link that redirects to the service is refused', async () => {
  const { url } = await aFileServer((_request, response) => void response.writeHead(302, { location: `${app.origin}/docs` }).end())
  const answer = await app.ask('POST /files', { key: team.value, body: { url } })
  expect(answer).toMatchObject({ status: 502, body: { error: { details: { cause: 'private_address' } } } })
})

test('a link to another port of the same machine is fetched when the operator allows private addresses', async () => {
  const { url } = await aFileServer({ body: await sampleFile('png') })
  expect((await app.ask('POST /files', { key: team.value, body: { url } })).status).toBe(201)
})

test('a webhook subscription with an address of the service or its database is refused', async () => {
  const database = new URL(app.databaseUrl)
  const settings = {
    ...app.services.settings,
    ownAddresses: await ownAddressesOf([{ host: database.hostname, port: Number(database.port) }], [app.origin]),
  }
  const services = { ...app.services, settings }
  for (const address of [`${app.origin}/hook`, `http://127.0.0.1:${database.port}/`]) {
    await expect(aSubscription(services, team, address)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: ['address'], code: 'not_allowed', message: expect.stringContaining('one of this service') }] },
    })
  }
})
