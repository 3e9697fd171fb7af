import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { aMember } from '../../../support/people/sessions.ts'
import { anEnding, aSubscription } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

const own = await aTeamWithKey(services, { credits: 100 })
const generationId = await anEnding(own, 'ready')
await services.pool.query(`update generations set prompt = 'a lighthouse at dusk', reference = 'order-4711' where id = $1`, [generationId])
await aSubscription(services, own, 'https://203.0.114.9/hook')
const member = await aMember(services, { teamId: own.team.id, role: 'member' })
await services.pool.query(`update users set name = 'Ada Lovelace' where id = $1`, [member.id])

const palette = (page: BrowserPage) => page.getByRole('dialog', { name: 'Search' })
const field = (page: BrowserPage) => page.getByRole('combobox', { name: /^Search pages, keys/ })

async function find(page: BrowserPage, search: string, group: string, label: string): Promise<void> {
  await field(page).fill(search)
  await page.getByRole('group', { name: group, exact: true }).getByRole('option', { name: label }).waitFor()
}

test('Ctrl+K finds pages, keys, webhooks, families, members and generations, by the keyboard alone', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/usage` })
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  const origin = page.getByRole('button', { name: 'Search' })
  await origin.focus()
  for (const [typed, group, label, path] of [
    ['deliv', 'Pages', 'Deliveries', 'deliveries'],
    ['test key', 'Keys', 'test key', `keys/${own.key.id}`],
    ['203.0.114.9', 'Webhooks', '203.0.114.9', 'webhooks/hook_'],
    ['sandbox-im', 'Families', 'sandbox-image', 'catalog/sandbox-image'],
    ['lovela', 'Members', 'Ada Lovelace', `members/${member.id}`],
    ['LIGHTHOUSE', 'Generations', 'a lighthouse at dusk', `history/${generationId}`],
    ['order-4711', 'Generations', 'order-4711', `history/${generationId}`],
    [generationId, 'Generations', 'a lighthouse at dusk', `history/${generationId}`],
  ] as const) {
    await page.keyboard.press('Control+k')
    await find(page, typed, group, label)
    const options = await page.getByRole('option').allTextContents()
    const place = options.findIndex((text) => text.includes(label))
    for (let down = 0; down < place; down++) await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain(label)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/integrations/${own.team.id}/${path}*`)
    await palette(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.querySelector('#content')?.contains(document.activeElement))).toBe(true)
    // A dialog that returns the focus does so a little later.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
    expect(await origin.evaluate((button) => button === document.activeElement)).toBe(false)
  }
})

test('a page that is loaded after it was opened does not take the focus from it', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/history` })
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  let release = () => {}
  const isReleased = new Promise<void>((done) => (release = done))
  let isHeld = () => {}
  const held = new Promise<void>((done) => (isHeld = done))
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(`"id":"${generationId}"`)) {
      isHeld()
      await isReleased
    }
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await find(page, 'LIGHTHOUSE', 'Generations', 'a lighthouse at dusk')
  await page.keyboard.press('Enter')
  await held
  await palette(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await find(page, 'deliv', 'Pages', 'Deliveries')
  release()
  await page.getByRole('heading', { name: 'Generation', level: 1, includeHidden: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/integrations/${own.team.id}/deliveries`)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deliveries')
})

test('what is typed while it loads is searched; Escape closes it, and the focus returns', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/keys` })
  await page.getByRole('button', { name: 'Search' }).waitFor()
  let release = () => {}
  const isReleased = new Promise<void>((done) => (release = done))
  await page.route('**/CommandPalette-*.js', async (route) => {
    await isReleased
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('delix')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ver')
  release()
  await expect.poll(() => field(page).inputValue()).toBe('deliver')
  await page.keyboard.type('ies')
  await page.getByRole('option', { name: 'Deliveries' }).waitFor()
  expect(await field(page).inputValue()).toBe('deliveries')
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  const origin = page.getByRole('button', { name: 'Issue key' })
  await origin.focus()
  await page.keyboard.press('Meta+k')
  await field(page).waitFor()
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await expect.poll(() => origin.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Issue key' }).waitFor()
  await page.keyboard.press('Control+k')
  expect(await palette(page).count()).toBe(0)
})

test('a member finds pages, families and generations, but neither keys, webhooks nor people', async () => {
  const page = await aBrowserPage(app, { as: member, at: `/integrations/${own.team.id}/history` })
  await page.getByRole('button', { name: 'Search' }).click()
  await find(page, 'lighthouse', 'Generations', 'a lighthouse at dusk')
  for (const search of ['test key', '203.0.114.9', 'lovelace', 'Deliveries']) {
    await field(page).fill(search)
    await page.getByText('Nothing found').waitFor()
  }
})

test('it is usable at each width, and says what it found', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/team` })
  await page.getByRole('button', { name: 'Search' }).click()
  await find(page, 'e', 'Pages', 'Webhooks')
  await find(page, 'te', 'Keys', 'test key')
  await page
    .getByRole('status')
    .getByText(/^\d+ results$/)
    .waitFor()
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  }
  await screenshot(page, 'palette')
})

test('the keys are listed in the menu of the account', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/team` })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search pages, keys').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.getByRole('button', { name: 'Account' }).evaluate((element) => element === document.activeElement))
    .toBe(true)
})
