import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { aMember } from '../../../support/people/sessions.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const own = await aTeamWithKey(app.services)

test('filters of the address by key and person show their names', async () => {
  const member = await aMember(app.services, { teamId: own.team.id, role: 'member' })
  const page = await aBrowserPage(app, { as: member })
  const searches: string[] = []
  page.on('request', (request) => {
    if (request.postData()?.includes('HistoryKeyChoices')) searches.push(request.postDataJSON().variables.search)
  })
  await page.clock.install()
  await page.goto(`/integrations/${own.team.id}/history?key=${own.key.id}&who=${own.user.id}`)
  const textOf = (filter: string) => page.getByRole('combobox', { name: filter, exact: true }).inputValue()
  await expect.poll(() => textOf('Key'), soon).toBe(`test key (${own.key.prefix}…)`)
  await expect.poll(() => textOf('Who'), soon).toBe(`${own.user.name} (${own.user.email})`)
  // Later than the delay after which a typed text is searched. The name is none.
  await page.clock.runFor(1000)
  expect(searches.filter((search) => search !== '' && search !== own.key.id)).toEqual([])
  expect(await textOf('Key')).toContain('test key')
})
