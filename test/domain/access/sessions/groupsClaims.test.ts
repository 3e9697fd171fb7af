import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { type GroupsClaimOutcome, lastGroupsClaim, recordGroupsClaim } from '../../../../src/domain/access/sessions/groupsClaims.ts'
import { testClock } from '../../../support/clock.ts'
import { aServiceContext } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const clock = testClock()
const { services, close } = await testServices({ clock })
afterAll(close)
const tool = aServiceContext(services)

/** Records these outcomes, ten seconds apart, for a new issuer. */
async function after(...outcomes: GroupsClaimOutcome[]) {
  const provider = { name: 'Example ID', issuer: `https://${randomUUID()}.example.com`, claim: 'groups' }
  const times: Date[] = []
  for (const outcome of outcomes) {
    await clock.advance(10_000)
    times.push(clock.now())
    await recordGroupsClaim(tool, provider, outcome)
  }
  return { provider, times }
}

test('the last sign-in is stored with the number of those in a row without a usable claim, and the first of them', async () => {
  const { provider, times } = await after('read', 'missing', 'malformed', 'missing')
  expect(await lastGroupsClaim(tool, provider)).toEqual({
    signedInAt: times[3],
    outcome: 'missing',
    failures: 3,
    failingSince: times[1],
  })
})

test('a usable claim resets the number of failures in a row', async () => {
  const { provider, times } = await after('missing', 'missing', 'read')
  expect(await lastGroupsClaim(tool, provider)).toEqual({ signedInAt: times[2], outcome: 'read', failures: 0, failingSince: null })
})

test('equal outcomes are stored at most once a minute', async () => {
  const { provider, times } = await after('read', 'read', 'read')
  expect((await lastGroupsClaim(tool, provider))?.signedInAt).toEqual(times[0])
  await clock.advance(60_000)
  await recordGroupsClaim(tool, provider, 'read')
  expect((await lastGroupsClaim(tool, provider))?.signedInAt).toEqual(clock.now())
})

test('sign-ins are counted apart for each issuer and claim', async () => {
  const { provider } = await after('missing')
  expect(await lastGroupsClaim(tool, { ...provider, claim: 'roles' })).toBeUndefined()
  expect(await lastGroupsClaim(tool, { ...provider, issuer: `${provider.issuer}/other` })).toBeUndefined()
})
