import { afterAll, expect, test } from 'vitest'
import type { Services } from '../../../src/domain/context.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { checkSecrets } from '../../../src/domain/webhooks/subscriptions/checkSecrets.ts'
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

/** The same database, as a process sees it whose SECRET_KEY holds these keys. */
const seenWith = (...keys: Buffer[]) => aServiceContext({ ...services, ring: makeKeyRing(keys) } satisfies Services)
const fault = /^SECRET_KEY does not open what this database holds sealed/

test('a process whose keys open nothing here is told so, before there is any subscription', async () => {
  expect(await checkSecrets(seenWith(older))).toBeUndefined()
  expect(await checkSecrets(seenWith(foreign))).toMatch(fault)
  expect(await checkSecrets(seenWith(newer, older))).toBeUndefined()
})

test('of processes that start together on an empty database with different keys, one is right', async () => {
  await services.pool.query('delete from secret_canary')
  const faults = await Promise.all([checkSecrets(seenWith(older)), checkSecrets(seenWith(foreign)), checkSecrets(seenWith(newer))])
  expect(faults.filter((each) => each === undefined)).toHaveLength(1)
  await services.pool.query('delete from secret_canary')
  expect(await checkSecrets(seenWith(older))).toBeUndefined()
})

test('one secret that was sealed with a key which is not ours is a fault', async () => {
  const { subscription } = await aSubscription(
    { ...services, ring: makeKeyRing([newer, older]) },
    await aTeamWithKey(services),
    'http://127.0.0.1:9/hook',
  )
  expect(await checkSecrets(seenWith(older))).toMatch(fault)
  expect(await checkSecrets(seenWith(older, newer))).toBeUndefined()
  await services.pool.query('delete from webhook_subscriptions where id = $1', [subscription.id])
})

test('nothing is sent unsigned: without the key a delivery waits, and goes out when somebody has it', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  const { id } = await sendTestEvent(seenWith(older), subscription.id)
  expect(await attemptAllDue(seenWith(foreign))).toBe(1)
  expect(receiver.received).toEqual([])
  expect(logged.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('SECRET_KEY') })
  const row = 'select state, attempts, next_attempt_at > now() as waits from webhook_deliveries where id = $1'
  expect((await services.pool.query(row, [id])).rows).toEqual([{ state: 'pending', attempts: 0, waits: true }])

  await services.pool.query('update webhook_deliveries set next_attempt_at = now() where retries_left is not null')
  await attemptAllDue(seenWith(older))
  expect(receiver.ids()).toEqual([id])
})

test('secrets are sealed anew with the first key, after which the older key can go', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  await rotateSecret(seenWith(older), { id: subscription.id, overlapHours: 1 })
  expect(await resealSecrets(seenWith(newer))).toBeGreaterThan(0)
  expect(await checkSecrets(seenWith(newer))).toMatch(fault)
  expect(await resealSecrets(seenWith(newer, older))).toBe(0)
  expect(await checkSecrets(seenWith(newer))).toBeUndefined()
  await sendTestEvent(seenWith(newer), subscription.id)
  await attemptAllDue(seenWith(newer))
  expect(String(receiver.received.at(-1)?.headers['x-service-signature'])).toMatch(/^t=\d+,v1=\w{64},v1=\w{64}$/)
})
