import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const hostile = '<img src=x onerror=alert(1)> ${7*7} {{7*7}} </script><script>alert(1)</script>'

const parameters = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tiled: { type: 'boolean', default: true, title: 'Tiled' },
    mood: { enum: ['calm', 1, true, null], default: 'calm', title: 'Mood', description: hostile },
    effects: { type: 'array', items: { enum: ['grain', 'blur'] }, title: 'Effects' },
    caption: { type: 'string', maxLength: 40, title: hostile },
    palette: { type: 'array', items: { type: 'integer' }, maxItems: 3, title: 'Palette' },
    style: {
      type: 'object',
      additionalProperties: false,
      title: 'Style',
      properties: {
        depth: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.25, default: 0.5, title: 'Depth' },
        medium: { type: 'string', enum: ['oil', 'ink'], default: 'oil', title: 'Medium' },
      },
    },
  },
}

const family = {
  id: 'all-kinds',
  name: 'All kinds',
  vendor: 'Test',
  description: 'Takes parameters of every kind.',
  outputType: 'image',
  updatedAt: '2026-11-20T00:00:00.000Z',
  parameters,
  variants: [
    {
      modelId: 'all-kinds.text-to-image',
      label: 'The one',
      tasks: ['text-to-image'],
      inputs: { prompt: { required: true, maxLength: null } },
      parameterNames: Object.keys(parameters.properties),
      prices: [
        { unit: 'generation', credits: 1 },
        { unit: 'generation', credits: 2, when: { tiled: false } },
      ],
      expectedRunSeconds: { typical: 1, slow: 2 },
      deadlineSeconds: 60,
      provider: { id: 'sandbox' },
    },
  ],
}

const catalogFolder = await mkdtemp(join(tmpdir(), 'atelier-catalog-'))
await writeFile(join(catalogFolder, 'all-kinds.json'), JSON.stringify(family))
const app = await testApp({ clock: 'database', catalogFolder })
afterAll(async () => {
  await app.close()
  await rm(catalogFolder, { recursive: true, force: true })
})

test('each kind of parameter has a control that fills the request, and schema texts are rendered as plain text', async () => {
  const { team, user } = await aTeam(app.services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/catalog/all-kinds` })
  const form = page.getByRole('region', { name: 'Try it' })
  await form.getByText(hostile).first().waitFor()
  await form.getByLabel('Prompt').fill('a boat')
  const pick = async (label: string, option: string) => {
    await form.getByRole('combobox', { name: label, exact: true }).click({ force: true })
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await form.getByRole('switch', { name: 'Tiled' }).click({ force: true })
  await pick('Mood', 'true')
  await pick('Effects', 'blur')
  await page.keyboard.press('Escape')
  await form.getByLabel(hostile).fill('a "caption"')
  await form.getByLabel('Palette').fill('[1, 2')
  await form.getByText('This is not valid JSON, so it is not sent.').waitFor()
  await form.getByLabel('Palette').fill('[1, 2]')
  await form.getByLabel('Depth').fill('0.75')
  await form.getByRole('button', { name: 'Estimate' }).click()
  await form.getByText('3 credits', { exact: true }).waitFor()

  const lines = (await page.getByRole('region', { name: 'Run it by curl' }).locator('code').textContent()) ?? ''
  const body = JSON.parse(/-d '(\{[^]*?\n {2}\})'/.exec(lines)?.[1] ?? '')
  expect(body.parameters).toEqual({
    tiled: false,
    mood: true,
    effects: ['blur'],
    caption: 'a "caption"',
    palette: [1, 2],
    style: { depth: 0.75 },
  })
  await expectAccessible(page)
  await screenshot(page, 'catalog-all-kinds')
})
