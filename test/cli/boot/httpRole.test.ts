import { afterAll, expect, test } from 'vitest'
import { startHttp } from '../../../src/cli/boot/httpRole.ts'
import { makeReadiness } from '../../../src/cli/boot/readiness.ts'
import { newId } from '../../../src/contract/ids.ts'
import { refusalsOfKey } from '../../../src/domain/access/keys/keyRefusals.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { freePort } from '../../support/processes/freePort.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

test('refused requests of a key are counted by code, and written before the process ends', async () => {
  const { key, value } = await aTeamWithKey(services)
  const role = await startHttp(services, {
    config: { serviceToken: undefined, trustedProxies: [], database: { kind: 'external', url: databaseUrl } },
    listeners: [{ serves: 'everything', host: '127.0.0.1', port: await freePort() }],
    processId: newId('proc'),
    readiness: makeReadiness(services),
  })
  const ask = (url: string, bearer: string) =>
    role.apps[0]?.fastify.inject({ url: `/api/v1${url}`, headers: { authorization: `Bearer ${bearer}` } })
  await ask('/generations?limit=nonsense', value)
  await ask('/families/unknown', value)
  await ask('/families/unknown', value)
  await ask('/families', value)
  await ask('/families', 'atl_nobody')
  await role.drain()
  const counted = await refusalsOfKey(aServiceContext(services), key.id)
  expect(counted.map(({ code, count }) => [code, count])).toEqual([
    ['family_not_found', 2],
    ['invalid_request', 1],
  ])
})
