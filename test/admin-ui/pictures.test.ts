import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { TeamScreenId } from '../../src/admin-ui/paths.ts'
import { inviteMember } from '../../src/domain/access/invitations/inviteMember.ts'
import { contextFor } from '../../src/domain/context.ts'
import { testApp } from '../support/app.ts'
import { aBrowserPage } from '../support/browser/browser.ts'
import { aScreenshotScene, screenshotMoment } from '../support/browser/screenshotScene.ts'
import { testClock } from '../support/clock.ts'
import { loopback } from '../support/webhooks/webhooks.ts'

/** The target folder. Set by `npm run docs:pictures`. */
const folder = process.env['DOCS_PICTURES']

/** Replaces texts that differ between runs. */
const steadyTexts = `(() => {
  const steady = (text) => text
    .replace(/atl_\\w{49}/g, 'atl_7Kd2mX9qRb4TnW8vYc3LpZ6sHf1GjQ5uEa0oNiVxDyMtC2wS')
    .replace(/(gen|evt|hook|key|team|req|acct)_[0-9a-z]{26}/g, '$1_01kageq7ncf0brx3v9w2hs5tyd')
    .replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/g, 'https://atelier.example.com')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (steady(node.data) !== node.data) node.data = steady(node.data)
  for (const input of document.querySelectorAll('input[readonly]')) input.value = steady(input.value)
})()`

/** Stores the screen in both colour schemes: `<name>.webp` and `<name>-dark.webp`. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.activeElement?.blur()')
  for (const [colorScheme, ending] of [
    ['dark', '-dark'],
    ['light', ''],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    // Also the small pictures of rows, and the parts of the frame that load last. A live list keeps its connection.
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
    await page.evaluate(
      'Promise.all([document.fonts.ready, ...document.getAnimations().map(({ finished }) => finished.catch(() => 0))]).then(() => 0)',
    )
    await page.evaluate(steadyTexts)
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    const few = await sharp(taken).png({ palette: true, colours: 128 }).toBuffer()
    const small = await sharp(few).webp({ lossless: true, effort: 6 }).toBuffer()
    await writeFile(join(folder ?? '', `${name}${ending}.webp`), small)
  }
}

/** The screens that need no more than their address, and what they show when they have loaded. */
const plainScreens: Partial<Record<TeamScreenId | 'account', (page: Page) => Locator>> = {
  overview: (page) => page.getByText('today, 14:28'),
  keys: (page) => page.getByRole('button', { name: 'Actions for nightly-report' }),
  webhooks: (page) => page.getByRole('button', { name: /Actions for .*archive/ }),
  agents: (page) => page.getByRole('button', { name: 'Issue agent key' }).first(),
  history: (page) => page.getByRole('row').nth(3),
  deliveries: (page) => page.getByRole('row').nth(3),
  catalog: (page) => page.getByRole('row').nth(2),
  audit: (page) => page.getByRole('row').nth(2),
  team: (page) => page.getByRole('link', { name: 'Grace Hopper' }),
  settings: (page) => page.getByLabel('Keep media'),
  account: (page) => page.getByLabel('Time zone').first(),
}

/** The pages of one object: the list with the link to it, and what the page shows when it has loaded. */
const detailPages: Record<string, { screen: TeamScreenId; link: string | RegExp; loaded(page: Page): Locator }> = {
  key: { screen: 'keys', link: 'render-bot', loaded: (page) => page.getByRole('table', { name: 'Audit log' }) },
  webhook: { screen: 'webhooks', link: /archive/, loaded: (page) => page.getByRole('table').getByText('503') },
  family: { screen: 'catalog', link: 'Sandbox Image', loaded: (page) => page.getByRole('button', { name: 'Estimate' }) },
  member: { screen: 'team', link: 'Ada Lovelace', loaded: (page) => page.getByRole('table', { name: 'Audit log' }) },
}

test.runIf(folder !== undefined)('the pictures of the documentation', { timeout: 240_000 }, async () => {
  const clock = testClock(screenshotMoment)
  const app = await testApp({ clock, settings: loopback })
  afterAll(app.close)
  const { team, user, shown } = await aScreenshotScene(app.services, clock)
  const viewport = { width: 1280, height: 760 }
  const page = await aBrowserPage(app, { as: user, viewport })
  await page.clock.setFixedTime(screenshotMoment)
  const open = (screen: string) => page.goto(`/integrations/${team.id}/${screen}`)

  for (const [screen, loaded] of Object.entries(plainScreens)) {
    await open(screen)
    await loaded(page).waitFor()
    await take(page, screen)
  }

  for (const [name, { screen, link, loaded }] of Object.entries(detailPages)) {
    await open(screen)
    await page.getByRole('link', { name: link }).first().click()
    await loaded(page).first().waitFor()
    await take(page, name)
  }

  await open('keys')
  await page.getByRole('button', { name: 'Issue key' }).click()
  const issue = page.getByRole('dialog', { name: 'Issue key' })
  await issue.getByLabel('Name', { exact: true }).fill('film-desk')
  for (const scope of ['generations:read', 'generations:write']) await issue.getByRole('checkbox', { name: scope, exact: true }).check()
  await issue.getByLabel('Daily ceiling', { exact: true }).fill('50')
  await issue.getByRole('button', { name: 'Issue', exact: true }).click()
  await issue.getByRole('region', { name: 'Try it' }).waitFor()
  await take(page, 'key-issued')

  await open('deliveries?state=FAILED')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('503').first().waitFor()
  await take(page, 'delivery')

  await open(`history?generation=${shown}`)
  const made = page.getByRole('dialog').getByRole('img', { name: /^Result/ })
  await expect.poll(() => made.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 10_000 }).toBeGreaterThan(0)
  await take(page, 'generation')

  await open(`history/${shown}`)
  await page.getByRole('region', { name: 'Deliveries' }).waitFor()
  await take(page, 'generation-page')

  await open('playground?family=sandbox-image')
  await page.getByLabel('Prompt').fill('A lighthouse at dusk, calm sea')
  await page.getByRole('button', { name: /^Run/ }).first().waitFor()
  await take(page, 'playground')

  await open('usage')
  const chart = page.getByRole('img', { name: /Daily credits/ })
  await chart.waitFor()
  await chart.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await take(page, 'usage')

  const stranger = await aBrowserPage(app, { at: '/integrations/sign-in', viewport })
  await stranger.getByRole('button', { name: 'Sign in' }).waitFor()
  await take(stranger, 'sign-in')

  const owner = contextFor(app.services, { kind: 'person', userId: user.id })
  const { url } = await inviteMember(owner, { teamId: team.id, email: 'katherine@studio.example', role: 'member' })
  const { pathname, hash } = new URL(url ?? '')
  await stranger.goto(pathname + hash)
  await stranger.getByRole('button', { name: 'Accept' }).waitFor()
  await take(stranger, 'invitation')
})
