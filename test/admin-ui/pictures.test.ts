import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
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
    .replace(/(gen|evt|hook|key|team|req)_[0-9a-z]{26}/g, '$1_01kageq7ncf0brx3v9w2hs5tyd')
    .replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/g, 'https://atelier.example.com')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (steady(node.data) !== node.data) node.data = steady(node.data)
  for (const input of document.querySelectorAll('input[readonly]')) input.value = steady(input.value)
})()`

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  // Also the small pictures of rows, and the parts of the frame that load last.
  await page.waitForLoadState('networkidle')
  await page.evaluate(
    'Promise.all([document.fonts.ready, ...document.getAnimations().map(({ finished }) => finished.catch(() => 0))]).then(() => 0)',
  )
  await page.evaluate('document.activeElement?.blur()')
  await page.evaluate(steadyTexts)
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const small = await sharp(taken).png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 }).toBuffer()
  await writeFile(join(folder ?? '', `${name}.png`), small)
}

test.runIf(folder !== undefined)('the pictures of the documentation', { timeout: 240_000 }, async () => {
  const clock = testClock(screenshotMoment)
  const app = await testApp({ clock, settings: loopback })
  afterAll(app.close)
  const { team, user, shown } = await aScreenshotScene(app.services, clock)
  const page = await aBrowserPage(app, { as: user, viewport: { width: 1280, height: 760 } })
  await page.clock.setFixedTime(screenshotMoment)
  const open = (screen: string) => page.goto(`/integrations/${team.id}/${screen}`)

  await open('keys')
  await page.getByRole('button', { name: 'Actions for nightly-report' }).waitFor()
  await take(page, 'keys')

  await page.getByRole('button', { name: 'Issue key' }).click()
  const issue = page.getByRole('dialog', { name: 'Issue key' })
  await issue.getByLabel('Name', { exact: true }).fill('film-desk')
  for (const scope of ['generations:read', 'generations:write']) await issue.getByRole('checkbox', { name: scope, exact: true }).check()
  await issue.getByLabel('Daily ceiling', { exact: true }).fill('50')
  await issue.getByRole('button', { name: 'Issue', exact: true }).click()
  await issue.getByRole('region', { name: 'Try it' }).waitFor()
  await take(page, 'key-issued')

  await open('webhooks')
  await page.getByRole('button', { name: /Actions for .*archive/ }).waitFor()
  await take(page, 'webhooks')

  await open('deliveries?state=FAILED')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('503').first().waitFor()
  await take(page, 'delivery')

  await open(`history?generation=${shown}`)
  const made = page.getByRole('dialog').getByRole('img', { name: /^Result/ })
  await expect.poll(() => made.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 10_000 }).toBeGreaterThan(0)
  await take(page, 'generation')

  await open('usage')
  const chart = page.getByRole('img', { name: /Daily credits/ })
  await chart.waitFor()
  await chart.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await take(page, 'usage')
})
