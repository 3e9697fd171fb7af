import { afterAll, expect, test } from 'vitest'
import { createServiceToken } from '../../../src/domain/access/serviceTokens.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { serviceToken } from '../../support/http/graphql.ts'

// A page fails its test when it requests another origin or violates its content security policy.
const app = await testApp({ serviceToken })
afterAll(app.close)

test('the page takes a named token, loads the schema and runs documents with it, and stores it nowhere', async () => {
  const { value } = await createServiceToken(aServiceContext(app.services), { name: 'browser', readOnly: true })
  const { user } = await aTeamWithKey(app.services)
  const page = await aBrowserPage(app, { as: user, at: `/graphql?query=${encodeURIComponent('mutation { reloadCatalog { families } }')}` })
  await expectAccessible(page)
  expect(new URL(page.url()).search).toBe('')
  const introspected = page.waitForResponse((response) => response.request().postData()?.includes('__schema') === true)
  await page.getByLabel('Service token').fill(value)
  await page.getByRole('button', { name: 'Open' }).click()
  expect(await (await introspected).json()).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } })
  const answered = page.waitForResponse((response) => response.request().postData()?.includes('viewer') === true)
  await page.getByRole('button', { name: /execute query/i }).click()
  const response = await answered
  expect(await response.json()).toEqual({ data: { viewer: { kind: 'SERVICE' } } })
  expect(await response.request().headerValue('cookie')).toBeNull()
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(value)
  await page.reload()
  expect(await page.getByLabel('Service token').inputValue()).toBe('')
})

test('without a token every request of the page is refused, also beside the session of a person', async () => {
  const { user } = await aTeamWithKey(app.services)
  const page = await aBrowserPage(app, { as: user, at: '/graphql' })
  const refused = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Open' }).click()
  expect((await refused).status()).toBe(401)
  await page.getByRole('button', { name: /execute query/i }).waitFor()
  page.faults.length = 0
})
