import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../../src/domain/context.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)

test.each([
  ['http://example.com/hook', 'address: not_allowed'],
  ['ftp://example.com/hook', 'address: not_allowed'],
  ['https://user:word@example.com/hook', 'address: not_allowed'],
  ['https://10.1.2.3/hook', 'address: not_allowed'],
  ['https://[::1]/hook', 'address: not_allowed'],
  ['https://2130706433/hook', 'address: not_allowed'],
  ['https://169.254.169.254/latest/meta-data', 'address: not_allowed'],
  ['https://receiver.invalid/hook', 'address: not_allowed'],
  ['https://', 'address: bad_format'],
])('an invalid address is refused and no subscription is created (%#)', async (address, issue) => {
  const strict = contextFor({ ...services, settings: { ...services.settings, allowedPrivateAddresses: [] } }, { kind: 'service' })
  const team = await aTeamWithKey(services)
  // An IP address, so that no name server is needed.
  const literal = address.replace('example.com', '93.184.215.14')
  expect(await issueOf(aSubscription(strict, team, literal))).toBe(issue)
  const { rows } = await services.pool.query('select count(*)::integer as count from webhook_subscriptions where team_id = $1', [
    team.team.id,
  ])
  expect(rows[0].count).toBe(0)
})
