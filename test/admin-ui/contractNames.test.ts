import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { sendTestEvent } from '../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { createSubscription } from '../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { scopes } from '../../src/entities/ApiKey.ts'
import { webhookEvents } from '../../src/entities/WebhookSubscription.ts'
import { testApp } from '../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../support/browser/browser.ts'
import { aServiceContext, aTeam, aUser, restScopes } from '../support/factories.ts'
import { loopback } from '../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

const address = 'http://127.0.0.1:9/hook'
const { team, user } = await aTeam(services)
const colleague = await aUser(services)

beforeAll(async () => {
  await setTeamMember(tool, { teamId: team.id, userId: colleague.id, role: 'member' })
  const { value } = await issueKey(tool, { teamId: team.id, userId: user.id, name: 'render-bot', scopes: restScopes })
  const { subscription } = await createSubscription(tool, { teamId: team.id, address, events: webhookEvents })
  await sendTestEvent(tool, subscription.id)
  await app.ask('POST /generations', { key: value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
})

type Named = readonly [role: Parameters<Locator['getByRole']>[0], name: string]

const buttons = (...names: string[]): Named[] => names.map((name) => ['button', name])
const fields = (...names: string[]): Named[] => names.map((name) => ['textbox', name])
const filters = (...names: string[]): Named[] => names.map((name) => ['combobox', name])
const boxes = (names: readonly string[]): Named[] => names.map((name) => ['checkbox', name])

const open = async (screen: string) => aBrowserPage(app, { as: user, at: `/integrations/${team.id}/${screen}` })

/** That each is there under its name, and is the only one of it. */
async function expectThere(where: BrowserPage | Locator, ...named: Named[]) {
  for (const [role, name] of named) {
    const found = where.getByRole(role, { name, exact: true })
    await found.first().waitFor()
    expect([name, await found.count()]).toEqual([name, 1])
  }
}

async function actionsFor(page: BrowserPage, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menu').waitFor()
  return await page.getByRole('menuitem').allTextContents()
}

async function act(page: BrowserPage, name: string, action: string) {
  await actionsFor(page, name)
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  await page.getByRole('dialog').waitFor()
  return page.getByRole('dialog')
}

async function leave(page: BrowserPage) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('Sign in', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await expectThere(page, ['heading', 'Sign in'], ...buttons('Sign in'), ...fields('E-mail'))
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
})

test('API keys', async () => {
  const page = await open('keys')
  await expectThere(page, ['heading', 'API keys'], ...buttons('Issue key', 'Account', 'Theme'), ...fields('Search keys'))
  expect(await actionsFor(page, 'render-bot')).toEqual(['Edit', 'Rotate', 'Revoke'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Issue key' }).click()
  const issue = page.getByRole('dialog', { name: 'Issue key', exact: true })
  await expectThere(
    issue,
    ...fields('Name', 'Daily ceiling', 'Monthly ceiling', 'Single ceiling', 'Expires'),
    ...boxes(scopes),
    ...buttons('Issue'),
  )
  await leave(page)
  await expectThere(await act(page, 'render-bot', 'Edit'), ...fields('Name', 'Daily ceiling'), ...buttons('Save'))
  await leave(page)
  await expectThere(await act(page, 'render-bot', 'Rotate'), ...fields('Overlap'), ...buttons('Rotate key'))
  await leave(page)
  await expectThere(await act(page, 'render-bot', 'Revoke'), ...buttons('Revoke key'))
})

test('Webhooks', async () => {
  const page = await open('webhooks')
  await expectThere(page, ['heading', 'Webhooks'], ...buttons('Add webhook'))
  expect(await actionsFor(page, address)).toEqual(
    expect.arrayContaining(['Pause', 'Rotate secret', 'Send test event', 'Recover failed', 'Delete']),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expectThere(page.getByRole('dialog'), ...fields('Address'), ...boxes(webhookEvents), ...buttons('Add'))
  await leave(page)
  await expectThere(await act(page, address, 'Rotate secret'), ...fields('Overlap'), ...buttons('Rotate secret'))
  await leave(page)
  await expectThere(await act(page, address, 'Delete'), ...buttons('Delete webhook'))
  await leave(page)
  await actionsFor(page, address)
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByRole('row', { name: address }).getByText('Paused').waitFor()
  expect(await actionsFor(page, address)).toContain('Resume')
})

test('Deliveries', async () => {
  const page = await open('deliveries')
  await expectThere(page, ['heading', 'Deliveries'], ...filters('State', 'Webhook', 'Event'), ...buttons('Export CSV'), ['switch', 'Live'])
  await page.getByLabel('Since', { exact: true }).waitFor()
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Delivery', exact: true })
  await expectThere(panel, ['heading', 'Attempts'], ['heading', 'Payload'], ['heading', 'Response'], ...buttons('Send again'))
})

test('History', async () => {
  const page = await open('history')
  await expectThere(page, ['heading', 'History'], ...filters('State', 'Source', 'Family', 'Key'), ...fields('Reference'))
  await page.getByRole('row').nth(1).click()
  await expectThere(page.getByRole('dialog', { name: 'Generation', exact: true }), ...buttons('Cancel generation'))
})

test('Usage', async () => {
  const page = await open('usage')
  await expectThere(page, ['heading', 'Usage'], ...filters('By'), ...buttons('Export CSV'))
  for (const name of ['From', 'To']) await page.getByLabel(name, { exact: true }).waitFor()
})

test('Catalog', async () => {
  const page = await open('catalog')
  await expectThere(page, ['heading', 'Catalog'])
  await page.getByRole('link', { name: 'Sandbox Image' }).click()
  await expectThere(page.getByRole('region', { name: 'Try it', exact: true }), ...buttons('Estimate'))
})

test('Playground', async () => {
  const page = await open('playground')
  await expectThere(page, ['heading', 'Playground'], ...filters('Family', 'Variant'), ...buttons('Estimate', 'Run'))
  await page.getByRole('region', { name: 'Result', exact: true }).waitFor()
})

test('Team', async () => {
  const page = await open('team')
  await expectThere(page, ['heading', 'Team'], ...buttons('Add member'), ...filters(`Role of ${colleague.name}`))
  await page.getByRole('button', { name: 'Add member' }).click()
  await expectThere(page.getByRole('dialog', { name: 'Add member' }), ...buttons('Save'))
})

test('Agents', async () => {
  const holder = await aUser(services, { subscriptionActive: true })
  await setTeamMember(tool, { teamId: team.id, userId: holder.id, role: 'member' })
  const page = await aBrowserPage(app, { as: holder, at: `/integrations/${team.id}/agents` })
  await expectThere(page, ['heading', 'Agents'])
  await page.getByRole('button', { name: 'Issue agent key' }).first().click()
  await page.getByRole('dialog', { name: 'Issue agent key' }).waitFor()
})

test('a member has no control of those who manage, also where they may look', async () => {
  const page = await aBrowserPage(app, { as: colleague, at: `/integrations/${team.id}/team` })
  await page.getByRole('cell', { name: user.name }).first().waitFor()
  for (const [role, name] of [['button', 'Add member'] as const, ['combobox', `Role of ${colleague.name}`] as const])
    expect(await page.getByRole(role, { name }).count()).toBe(0)
  await page.goto(`/integrations/${team.id}/history`)
  await page.getByRole('row').nth(1).click()
  await page.getByRole('dialog', { name: 'Generation' }).getByText('sandbox-image').first().waitFor()
  expect(await page.getByRole('button', { name: 'Cancel generation' }).count()).toBe(0)
})
