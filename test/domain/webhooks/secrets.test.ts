import { afterAll, expect, test } from 'vitest'
import type { Services } from '../../../src/domain/context.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { checkSecrets, describeSealing } from '../../../src/domain/webhooks/subscriptions/checkSecrets.ts'
import { resealSecrets } from '../../../src/domain/webhooks/subscriptions/resealSecrets.ts'
import { rotateSecret } from '../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { makeKeyRing } from '../../../src/secrets/keyRing.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'
import { attemptAllDue } from '../../support/webhooks/attemptAllDue.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const [older, newer, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const { services, logged, close } = await testServices({ settings: loopback, secretKey: older })
afterAll(close)

/** A context of a process with these keys in SECRET_KEY, on the same database. */
const contextWith = (...keys: Buffer[]) => aServiceContext({ ...services, ring: makeKeyRing(keys) } satisfies Services)
const fault = /^SECRET_KEY cannot decrypt the secrets in this database/

test('a process with a foreign SECRET_KEY gets an error, even before the first subscription exists', async () => {
  expect(await checkSecrets(contextWith(older))).toBeUndefined()
  expect(await checkSecrets(contextWith(foreign))).toMatch(fault)
  expect(await checkSecrets(contextWith(newer, older))).toBeUndefined()
})

test('when processes with different keys start together on an empty database, only one of them passes the check', async () => {
  await services.pool.query('delete from secret_canary')
  const faults = await Promise.all([checkSecrets(contextWith(older)), checkSecrets(contextWith(foreign)), checkSecrets(contextWith(newer))])
  expect(faults.filter((each) => each === undefined)).toHaveLength(1)
  await services.pool.query('delete from secret_canary')
  expect(await checkSecrets(contextWith(older))).toBeUndefined()
})

test('one secret that was encrypted with a foreign key is an error', async () => {
  const { subscription } = await aSubscription(
    { ...services, ring: makeKeyRing([newer, older]) },
    await aTeamWithKey(services),
    'http://127.0.0.1:9/hook',
  )
  expect(await checkSecrets(contextWith(older))).toMatch(fault)
  expect(await checkSecrets(contextWith(older, newer))).toBeUndefined()
  await services.pool.query('delete from webhook_subscriptions where id = $1', [subscription.id])
})

test('a delivery waits while the key is missing, and is sent when a process has the key', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  const { id } = await sendTestEvent(contextWith(older), subscription.id)
  expect(await attemptAllDue(contextWith(foreign))).toBe(1)
  expect(receiver.received).toEqual([])
  expect(logged.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('SECRET_KEY') })
  const row = 'select state, attempts, next_attempt_at > now() as waits from webhook_deliveries where id = $1'
  expect((await services.pool.query(row, [id])).rows).toEqual([{ state: 'pending', attempts: 0, waits: true }])

  await services.pool.query('update webhook_deliveries set next_attempt_at = now() where retries_left is not null')
  await attemptAllDue(contextWith(older))
  expect(receiver.ids()).toEqual([id])
})

test('resealing encrypts all secrets with the first key, so that the older key can be removed', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  await rotateSecret(contextWith(older), { id: subscription.id, overlapHours: 1 })
  expect(await resealSecrets(contextWith(newer))).toBeGreaterThan(0)
  expect(await checkSecrets(contextWith(newer))).toMatch(fault)
  const { rows } = await services.pool.query('select count(*)::integer as all from webhook_subscriptions where secret is not null')
  expect(await describeSealing(contextWith(newer))).toMatch(
    new RegExp(` within ten minutes after its start: 0 of ${rows[0].all} are sealed`),
  )
  expect(await resealSecrets(contextWith(newer, older))).toBe(0)
  expect(await describeSealing(contextWith(newer))).toMatch(new RegExp(`: ${rows[0].all} of ${rows[0].all} are sealed`))
  expect(await checkSecrets(contextWith(newer))).toBeUndefined()
  await sendTestEvent(contextWith(newer), subscription.id)
  await attemptAllDue(contextWith(newer))
  expect(String(receiver.received.at(-1)?.headers['x-service-signature'])).toMatch(/^t=\d+,v1=\w{64},v1=\w{64}$/)
})
