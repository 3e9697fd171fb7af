import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { verifyWebhook } from '../../../../clients/typescript/src/webhooks/verifyWebhook.ts'
import { callbackSecretOf, rotateCallbackSecret } from '../../../../src/domain/webhooks/callbacks/callbackSecret.ts'
import { checkSecrets } from '../../../../src/domain/webhooks/subscriptions/checkSecrets.ts'
import { resealSecrets } from '../../../../src/domain/webhooks/subscriptions/resealSecrets.ts'
import { makeKeyRing } from '../../../../src/secrets/keyRing.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aStartWithCallback, failAtOnce } from '../../../support/webhooks/callbacks.ts'
import { aReceiver, type ReceivedWebhook } from '../../../support/webhooks/receiver.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback, clock: 'database' })
afterAll(close)
const context = () => aServiceContext(services)
const secretOf = async ({ team }: { team: { id: string } }) => (await callbackSecretOf(context(), team.id)).secret

const verifies = ({ body, headers }: ReceivedWebhook, secrets: string) =>
  verifyWebhook({ body, headers, secrets }).then(
    () => true,
    () => false,
  )

test('callbacks are signed with the secret of the team; a rotation replaces it for known and new hosts, with an overlap both sign', async () => {
  const team = await aTeamWithKey(services)
  const [known, late] = [await aReceiver(), await aReceiver()]
  const send = async (url: string) => {
    await failAtOnce(services, await aStartWithCallback(team, { url }))
    await attemptAllDue(context())
  }
  await send(known.address)
  const first = await secretOf(team)
  const second = await rotateCallbackSecret(context(), { teamId: team.team.id, overlapHours: 1 })
  await send(known.address)
  await send(late.address)
  const third = await rotateCallbackSecret(context(), { teamId: team.team.id })
  await send(known.address)
  await send(late.address)
  expect(await secretOf(team)).toBe(third)
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const verdicts = [...known.received, ...late.received].map((each) =>
    Promise.all([first, second, third].map((secret) => verifies(each, secret))),
  )
  const [before, both, after] = [
    [true, false, false],
    [true, true, false],
    [false, false, true],
  ]
  expect(await Promise.all(verdicts)).toEqual([before, both, after, both, after])
  const { rows } = await services.pool.query(
    `select action, after from audit_entries where team_id = $1 and action like 'callback%' order by id`,
    [team.team.id],
  )
  expect(rows).toEqual([1, 0].map((overlapHours) => ({ action: 'callback_secret.rotated', after: { overlapHours } })))
})

test('many first reads make one secret, each team has its own, and an unknown team has none', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const read = await Promise.all(Array.from({ length: 8 }, () => secretOf(team)))
  expect(new Set(read).size).toBe(1)
  expect(await secretOf(other)).not.toBe(read[0])
  expect(await issueOf(callbackSecretOf(context(), 'team_00000000000000000000000000'))).toBe('teamId: not_allowed')
})

test('the secret and its copies are sealed anew with the first key of SECRET_KEY', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
  const own = await testServices({ settings: loopback, secretKey: oldKey })
  const team = await aTeamWithKey(own.services)
  await aStartWithCallback(team, { url: 'http://127.0.0.1:9/' })
  const by = (...keys: Buffer[]) => ({ ...aServiceContext(own.services), ring: makeKeyRing(keys) })
  const { secret } = await callbackSecretOf(by(oldKey), team.team.id)
  expect(await resealSecrets(by(newKey, oldKey))).toBe(0)
  expect(await checkSecrets(by(newKey))).toBeUndefined()
  expect((await callbackSecretOf(by(newKey), team.team.id)).secret).toBe(secret)
  await own.close()
})
