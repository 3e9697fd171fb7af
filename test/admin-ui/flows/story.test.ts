import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { makeDemoTeam } from '../../../src/cli/boot/demoTeam.ts'
import { type AnsweredBody, testApp } from '../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../support/browser/browser.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: loopback })
afterAll(app.close)

const run = promisify(execFile)
/** For slow test machines. */
const patiently = { timeout: 10_000 }

/** The actions of a newcomer, by visible names. */
function hands(page: BrowserPage) {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    button,
    row: (words: string) => page.getByRole('row').filter({ hasText: words }),
    async goTo(name: string) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    },
    async act(name: string, action: string) {
      await button(`Actions for ${name}`).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
      return page.getByRole('dialog')
    },
  }
}

async function signIn(page: BrowserPage, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
}

/** Issues a key, and returns its value and the shown command. */
async function issueKey(page: BrowserPage, name: string, scopes: string[], ceiling: string) {
  const { button } = hands(page)
  await button('Issue key').click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope, exact: true }).check()
  await dialog.getByLabel('Daily ceiling', { exact: true }).fill(ceiling)
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  const line = (await dialog.getByRole('region', { name: 'Try it' }).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return { value, paste: async () => JSON.parse((await run('bash', ['-c', line])).stdout) as AnsweredBody }
}

async function addWebhook(page: BrowserPage, address: string) {
  const { button, goTo, row } = hands(page)
  await goTo('Webhooks')
  await button('Add webhook').click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByLabel('Address').fill(address)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  expect(await dialog.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await row(address).waitFor()
}

async function lowerCeiling(page: BrowserPage, name: string, ceiling: string) {
  const { act, goTo, row } = hands(page)
  await goTo('API keys')
  const dialog = await act(name, 'Edit')
  await dialog.getByLabel('Daily ceiling', { exact: true }).fill(ceiling)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(name)
    .getByText(new RegExp(`of ${ceiling}\\b`))
    .first()
    .waitFor()
}

async function revoke(page: BrowserPage, name: string) {
  const { act, row } = hands(page)
  const dialog = await act(name, 'Revoke')
  await dialog.getByText(/links? to (a result|results) stops? working at once/).waitFor()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(name).getByText('Revoked').waitFor()
}

test('a newcomer can do everything with the screens alone', async () => {
  const demo = await makeDemoTeam(app.services)
  if (!demo) throw new Error('there is a team already')
  let isBroken = false
  const receiver = await aReceiver((response) => (isBroken ? response.writeHead(500).end('out of disk') : response.writeHead(204).end()))
  const page = await aBrowserPage(app, { at: '/integrations' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { goTo, row } = hands(page)
  const delivery = page.getByRole('dialog', { name: 'Delivery' })

  await signIn(page, demo)
  const { value, paste } = await issueKey(page, 'render-bot', ['generations:read', 'generations:write'], '10')
  const made = await paste()
  expect(made).toMatchObject({ state: 'ready', creditsCharged: 1 })

  await goTo('History')
  await row('A lighthouse at dusk').first().click()
  const picture = page.getByRole('dialog', { name: 'Generation' }).getByRole('img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), patiently).toBe(512)
  await page.keyboard.press('Escape')

  await addWebhook(page, receiver.address)
  await paste()
  await goTo('Deliveries')
  await row('#1').getByText('Delivered').waitFor()

  isBroken = true
  await paste()
  await page.getByRole('switch', { name: 'Live' }).check()
  await row('#2').click()
  await delivery.getByText('The receiver answered 500; only an answer from 200 to 299 is success.').waitFor()
  await delivery.getByText('out of disk').waitFor()
  isBroken = false
  await delivery.getByRole('button', { name: 'Send again' }).click()
  await delivery.getByText('Delivered', { exact: true }).waitFor()
  expect(new Set(receiver.ids()).size).toBe(2)
  await page.keyboard.press('Escape')
  await delivery.waitFor({ state: 'detached' })

  await lowerCeiling(page, 'render-bot', '3')
  expect(await paste()).toMatchObject({ error: { code: 'spend_limit_exceeded', details: { limitKind: 'daily', limitCredits: 3 } } })

  const link = made.result?.url ?? ''
  expect((await fetch(link)).status).toBe(200)
  await revoke(page, 'render-bot')
  expect((await fetch(link)).status).toBe(404)
  expect(await app.ask('GET /account', { key: value })).toMatchObject({ status: 401, body: { error: { code: 'invalid_token' } } })
})
