import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { bindSql } from '../../src/domain/sql.ts'
import { checkSecrets } from '../../src/domain/webhooks/subscriptions/checkSecrets.ts'
import { registerSecretGauge, type SecretFault } from '../../src/metrics/secretGauge.ts'
import { makeKeyRing } from '../../src/secrets/keyRing.ts'
import { testServices } from '../support/services.ts'

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const { services, close } = await testServices({ secretKey: older })
afterAll(close)

/** The lines of the metric in a process with these keys in SECRET_KEY. */
function linesWith(keys: Buffer[]): Promise<string[]> {
  return linesOf(() => checkSecrets({ ring: makeKeyRing(keys), sql: bindSql(services.pool) }))
}

async function linesOf(secretFault: SecretFault): Promise<string[]> {
  const registry = new Registry()
  registerSecretGauge(secretFault, registry)
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('atelier_'))
}

test('a process whose SECRET_KEY is not that of the database exports 0', async () => {
  expect(await linesWith([older])).toEqual(['atelier_secret_key_ok 1'])
  expect(await linesWith([newer, older])).toEqual(['atelier_secret_key_ok 1'])
  expect(await linesWith([newer])).toEqual(['atelier_secret_key_ok 0'])
})

test('without an answer of the database there is no value', async () => {
  expect(await linesOf(() => Promise.reject(new Error('away')))).toEqual([])
})
