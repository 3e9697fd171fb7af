import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey, restScopes } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services, { scopes: [...restScopes, 'mcp'], subscriptionActive: true })
const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const start = 'POST /generations'

test.each<[what: string, asked: string, body: object | undefined, path: string[], code: string, nearest: string]>([
  ['a field of the body', start, { ...work, max_credits: 1 }, ['max_credits'], 'unknown_field', 'maxCredits'],
  ['a query parameter', 'GET /generations?statsu=ready', undefined, ['statsu'], 'unknown_field', 'status'],
  ['a value in the query', 'GET /generations?status=redy', undefined, ['status'], 'not_allowed', 'ready'],
  ['a task', 'GET /families?task=text-to-img', undefined, ['task'], 'not_allowed', 'text-to-image'],
  ['a parameter', start, { ...work, parameters: { widht: 512 } }, ['parameters', 'widht'], 'unknown_field', 'width'],
  ["a parameter's value", start, { ...work, parameters: { outputFormat: 'jpg' } }, ['parameters', 'outputFormat'], 'not_allowed', 'jpeg'],
  ['an axis', start, { ...work, axes: { versoin: 'pro' } }, ['axes', 'versoin'], 'unknown_field', 'version'],
  ["an axis's value", start, { ...work, axes: { version: 'drafts' } }, ['axes', 'version'], 'not_allowed', 'draft'],
])('%s with a typo is refused with the nearest name', async (_what, asked, body, path, code, nearest) => {
  const { error } = (await app.ask(asked, { key, ...(body ? { body } : {}) })).body
  const message = expect.stringContaining(` Did you mean "${nearest}"?`)
  expect(error).toMatchObject({ details: { issues: [{ path, code, nearest, message }] } })
})

test('a family and a variant with a typo are refused with the nearest name', async () => {
  const near = { code: 'family_not_found', message: expect.stringContaining('"sandbox-image"'), details: { nearest: 'sandbox-image' } }
  const families = [
    await app.ask(start, { key, body: { ...work, familyId: 'sandbox_image' } }),
    await app.ask('GET /families/sandboximage', { key }),
  ]
  expect(families.map(({ body }) => body.error)).toMatchObject([near, near])
  const modelId = 'sandbox-image.text-to-image.drft'
  const variant = (await app.ask(start, { key, body: { ...work, modelId } })).body.error
  expect(variant).toMatchObject({ code: 'variant_not_resolved', details: { nearest: 'sandbox-image.text-to-image.draft' } })
})

test('refused tool arguments have the nearest name', async () => {
  const { call } = await agentClient(app, key)
  const misnamed = await call('get_family', { familyID: 'sandbox-image' })
  expect(misnamed.body['error']).toMatchObject({
    details: { issues: expect.arrayContaining([expect.objectContaining({ nearest: 'familyId' })]) },
  })
  const unknown = await call('get_family', { familyId: 'sandbox-imag' })
  expect(unknown.text).toContain('Did you mean "sandbox-image"?')
})
