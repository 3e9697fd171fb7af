import { afterAll, expect, test } from 'vitest'
import { firstIdAt } from '../../../../src/contract/ids.ts'
import { accountIdOf } from '../../../../src/domain/access/spender.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { team, user } = await aTeam(app.services)
const moment = new Date(Date.now() - 48 * 3_600_000)

/** 5,400 failed generations. The search passes 500 rows in each answer, and reads ten answers by itself. */
await app.services.pool.query(
  `insert into generations (id, owner_id, account_id, source, state, family_id, output_type, prompt, price, credits_charged, failure, created_at, finished_at)
     select $3 || lpad(n::text, 16, '0'), $1, $2, 'rest', 'failed', 'sandbox-image', 'image',
         case n when 10 then 'the oldest boat' when 1000 then 'a ship' else 'a house' end, 0, 0,
         '{"code": "internal_error", "reason": "unclassified"}', $4, $4
       from generate_series(1, 5400) as n`,
  [team.id, accountIdOf(team.id), firstIdAt('gen', moment).slice(0, -16), moment],
)

const searched = (text: string) => aBrowserPage(app, { as: user, at: `/integrations/${team.id}/history?search=${text}` })
const rowWith = (page: Awaited<ReturnType<typeof searched>>, text: string) => page.getByRole('row').filter({ hasText: text })

test('a search goes on by itself until it finds a match', async () => {
  const page = await searched('ship')
  await rowWith(page, 'a ship').waitFor()
  await page.getByRole('button', { name: 'Search older generations' }).click()
  await page.getByText('1 generation', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Search older generations' }).count()).toBe(0)
})

test('a search that stops at its bound says how far it came, and goes on when asked', async () => {
  const page = await searched('boat')
  await page.getByRole('heading', { name: /^No match since / }).waitFor()
  await page.getByText('Older generations were not searched.').waitFor()
  expect(await page.getByText('No generation matches').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'history-search-cut')
  await page.getByRole('button', { name: 'Search older generations' }).click()
  await rowWith(page, 'the oldest boat').waitFor()
})

test('only a search of the whole history says that nothing matches', async () => {
  const page = await searched('zzzz')
  await page.getByRole('button', { name: 'Search older generations' }).click()
  await page.getByRole('heading', { name: 'No generation matches these filters' }).waitFor()
  expect(await page.getByRole('button', { name: 'Search older generations' }).count()).toBe(0)
})
