import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { aTeam, aTeamWithKey } from '../../support/factories.ts'
import { runInBash } from '../../support/processes/runInBash.ts'
import { nastyPrompts } from '../pages/catalog/nastyPrompts.ts'

const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { services } = app

async function aKeysPage(person: { subscriptionActive?: boolean } = {}) {
  const { team, user } = await aTeam(services, person)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return { page }
}

async function issue(page: Page, { name, scopes, single }: { name: string; scopes: string[]; single?: string }) {
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope, exact: true }).check()
  if (single !== undefined) await dialog.getByLabel('Single ceiling', { exact: true }).fill(single)
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  return { dialog, value, line: (await dialog.getByRole('region', { name: 'Try it' }).textContent()) ?? '' }
}

test('the commands for other scopes also work in bash', async () => {
  const { page } = await aKeysPage()
  for (const [expected, ...scopes] of [
    ['200', 'catalog:read'],
    ['200', 'account:read'],
    ['201', 'files:write'],
    ['200', 'generations:read'],
    ['201', 'generations:write'],
    ['200', 'catalog:read', 'files:write', 'mcp'],
  ] as const) {
    const { line, dialog } = await issue(page, { name: scopes.join(), scopes: [...scopes] })
    expect([scopes, (await runInBash(line)).status]).toEqual([scopes, expected])
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
})

test('a key that cannot afford a start gets a free command, and an agent key gets a configuration', async () => {
  const { page } = await aKeysPage()
  const { line } = await issue(page, { name: 'poor', scopes: ['generations:read', 'generations:write'], single: '0' })
  expect(await runInBash(line)).toMatchObject({ status: '200' })
  const { page: another } = await aKeysPage({ subscriptionActive: true })
  const { line: configuration, value } = await issue(another, { name: 'agent', scopes: ['mcp'] })
  expect(JSON.parse(configuration)).toEqual({
    mcpServers: { atelier: { type: 'http', url: `${app.origin}/mcp`, headers: { Authorization: `Bearer ${value}` } } },
  })
})

test('the shown command starts exactly this generation in a shell, for any prompt', async () => {
  const { team, user, value: key } = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/catalog/sandbox-image` })
  const form = page.getByRole('region', { name: 'Try it' })
  await form.getByLabel('Width').fill('64')
  await form.getByLabel('Height').fill('64')
  await form.getByLabel('Prompt').fill(nastyPrompts.join('\n'))
  const typed = await form.getByLabel('Prompt').inputValue()
  expect(typed).toBe(nastyPrompts.join('\n').replaceAll('\r\n', '\n'))

  const line = await page.getByRole('region', { name: 'Run it by curl' }).locator('code').textContent()
  const env = { PATH: process.env['PATH'], ATELIER_KEY: key }
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', line ?? ''], { env, cwd: tmpdir() })
  const answer = JSON.parse(stdout) as { generationId: string }
  expect(answer).toMatchObject({ state: 'ready' })
  const { rows } = await services.pool.query('select prompt, parameters from generations where id = $1', [answer.generationId])
  expect(Buffer.from(rows[0].prompt)).toEqual(Buffer.from(typed))
  expect(rows[0].parameters).toMatchObject({ width: 64, height: 64 })
})
