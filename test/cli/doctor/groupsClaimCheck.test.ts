import { afterAll, expect, test } from 'vitest'
import { resultOf } from '../../../src/cli/doctor/check.ts'
import { groupsClaimCheck } from '../../../src/cli/doctor/groupsClaimCheck.ts'
import { type GroupsClaimOutcome, recordGroupsClaim } from '../../../src/domain/access/sessions/groupsClaims.ts'
import { testClock } from '../../support/clock.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const clock = testClock()
const { services, close } = await testServices({ clock })
afterAll(close)
const provider = { name: 'Example ID', issuer: 'https://id.example.com', claim: 'groups' }
const check = () => resultOf(groupsClaimCheck(services, provider))
const signIn = async (outcome: GroupsClaimOutcome) => {
  await clock.advance(60_001)
  await recordGroupsClaim(aServiceContext(services), provider, outcome)
  return clock.now()
}

test('a missing claim is said at once, is a fault from the third sign-in in a row, and none after a usable claim', async () => {
  expect(await check()).toMatchObject({ ok: true, detail: expect.stringContaining('nobody has signed in with Example ID') })
  const first = await signIn('missing')
  expect(await check()).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^the last sign-in, at .+ UTC, carried no claim `groups`; /),
  })
  await signIn('missing')
  await signIn('malformed')
  expect(await check()).toMatchObject({ ok: false, detail: expect.stringContaining('that is no list of texts'), since: first })
  await signIn('read')
  expect(await check()).toMatchObject({ ok: true, detail: expect.stringMatching(/carried the claim `groups`$/) })
})
