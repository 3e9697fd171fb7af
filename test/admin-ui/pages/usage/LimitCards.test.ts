import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)

test('another limit than the nearest says when it is near', async () => {
  const { team, user, value } = await aTeamWithKey(app.services, { dailyLimitCredits: 20 })
  await updateTeam(aServiceContext(app.services), { id: team.id, lowCreditsThreshold: 2000 })
  const { status } = await app.ask('POST /generations', { key: value, body: { familyId: 'sandbox-3d', prompt: 'a boat' } })
  expect(status).toBe(201)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/usage` })
  const limit = page.getByRole('region', { name: 'Nearest limit' })
  await limit.getByText('test key has used 3 of 20 credits today.').waitFor()
  expect(await limit.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(/^997 credits are available\.\s+Near$/)])
})
