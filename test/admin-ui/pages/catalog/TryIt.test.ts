import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import type { Variant } from '../../../../src/admin-ui/pages/catalog/catalogQueries.ts'
import { generationBody } from '../../../../src/admin-ui/pages/catalog/generationBody.ts'
import { presentFamily } from '../../../../src/domain/catalog/presentFamily.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { mp4Of } from '../../../support/http/uploads.ts'
import { blackPng } from '../../../support/media/blackPng.ts'
import { glbSample } from '../../../support/media/modelSamples.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

const pageOf = (team: { id: string }, familyId: string) => `/integrations/${team.id}/catalog/${familyId}`
const tryIt = (page: Page) => page.getByRole('region', { name: 'Try it' })
const curlOf = (page: Page) => page.getByRole('region', { name: 'Run it by curl' }).innerText()
const choose = async (page: Page, label: string, option: string) => {
  await tryIt(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a family shows inputs and prices, and its form has exactly the parameters of the variant', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: pageOf(team, 'sandbox-video') })
  await page.getByRole('heading', { name: 'Sandbox Video', level: 1 }).waitFor()
  expect(await page.getByRole('table', { name: 'Variants' }).innerText()).toMatch(
    /2 credits per output second[^]*1 credit per input second/,
  )
  expect(await page.getByRole('table', { name: 'Parameters' }).innerText()).toMatch(/durationSeconds[^]*a number, 1 to 10[^]*2/)
  const duration = tryIt(page).getByLabel('Duration')
  expect(await duration.inputValue()).toBe('2')
  await screenshot(page, 'catalog-family')
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)

  await choose(page, 'Task', 'Video to video')
  await duration.waitFor({ state: 'detached' })
  await tryIt(page).getByLabel('Videos').waitFor()
  await tryIt(page).getByText('How to upload a file').click()
  await tryIt(page).getByText('-F file=@picture.png').waitFor()
  await expectAccessible(page)
})

test('each filled-in form is a request for its variant that the estimate accepts', async () => {
  const { team, user, value: key } = await aTeamWithKey(services, { scopes: ['files:write'] })
  const ids = await inputsOf(key)
  const page = await aBrowserPage(app, { as: user, at: pageOf(team, 'sandbox-video') })
  for (const task of ['Text to video', 'Image to video', 'Video to video']) {
    await choose(page, 'Task', task)
    await tryIt(page).getByLabel('Prompt').fill('a boat')
    for (const [label, id] of [
      ['Images', ids.images],
      ['Videos', ids.videos],
    ] as const)
      if (await tryIt(page).getByLabel(label).count()) await tryIt(page).getByLabel(label).fill(id)
    for (const mode of ['quality', 'turbo']) {
      await choose(page, 'Mode', mode)
      await tryIt(page).getByRole('button', { name: 'Estimate' }).click()
      await tryIt(page).getByText('Enough credits', { exact: true }).waitFor()
      expect(await curlOf(page)).toContain(`"modelId": "sandbox-video.${task.toLowerCase().replaceAll(' ', '-')}.${mode}"`)
    }
  }
})

test('the initial form of every variant is a request that the estimate accepts', async () => {
  const { value: key } = await aTeamWithKey(services, { subscriptionActive: true, scopes: ['files:write', 'generations:read'] })
  const media = await inputsOf(key)
  for (const family of services.catalog.families.values()) {
    if (family.id === 'sandbox-offline') continue
    for (const variant of presentFamily(family, undefined).variants as unknown as Variant[]) {
      const images = Array.from({ length: Math.max(1, variant.inputs.images.min) }, () => media.images).join(' ')
      const draft = { modelId: variant.modelId, prompt: 'a boat', parameters: {}, media: { ...media, images } }
      const body = generationBody(family, variant, draft)
      const { status, text } = await app.ask('POST /generations/estimate', { key, body })
      expect([variant.modelId, status, text]).toEqual([variant.modelId, 200, text])
    }
  }
})

async function inputsOf(key: string) {
  const upload = async (content: Buffer) =>
    (await app.ask('POST /files', { key, body: { base64: content.toString('base64') } })).body.fileId
  return {
    images: await upload(blackPng({ width: 64, height: 64 })),
    videos: await upload(await mp4Of(20_000)),
    audios: await upload(await sampleFile('wav')),
    models3d: await upload(await glbSample()),
  }
}

const numberOfCredits = (text: string) => Number(/([\d.]+) credits?/.exec(text)?.[1])

test('an estimate shows price, breakdown and whether the credits suffice, until the request changes', async () => {
  const { team, user } = await aTeam(services, { credits: 9 })
  const page = await aBrowserPage(app, { as: user, at: pageOf(team, 'sandbox-video') })
  await tryIt(page).getByLabel('Prompt').fill('a boat')
  await tryIt(page).getByLabel('Duration').fill('3.5')
  await tryIt(page).getByRole('button', { name: 'Estimate' }).click()
  const breakdown = tryIt(page).getByRole('table', { name: 'Price calculation' })
  expect(await breakdown.innerText()).toMatch(/3\.5 output seconds\s+7 credits/)
  await tryIt(page).getByText(`${team.name} has 9 credits available.`).waitFor()
  await tryIt(page).getByText('Enough credits', { exact: true }).waitFor()
  await screenshot(page, 'catalog-estimate')

  await choose(page, 'Mode', 'quality')
  await breakdown.waitFor({ state: 'detached' })
  await tryIt(page).getByRole('button', { name: 'Estimate' }).click()
  await tryIt(page).getByText('Not enough credits', { exact: true }).waitFor()
  await tryIt(page).getByText('The team does not have enough credits.').waitFor()
  expect(numberOfCredits(await tryIt(page).getByRole('status').first().innerText())).toBe(17.5)
  await screenshot(page, 'catalog-not-enough')
  await expectAccessible(page)
})

test('a refusal of the estimate is shown at its field', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: pageOf(team, 'sandbox-image') })
  const estimate = () => tryIt(page).getByRole('button', { name: 'Estimate' }).click()
  const described = async (label: string) => {
    const field = tryIt(page).getByLabel(label)
    await vi.waitFor(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'), { timeout: 5000, interval: 20 })
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ').filter(Boolean) ?? []
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ')
  }
  await estimate()
  expect(await described('Prompt')).toContain('The variant needs a prompt.')
  await tryIt(page).getByLabel('Prompt').fill('a boat')
  await tryIt(page).getByLabel('Width').fill('9000')
  expect(await described('Width')).toContain('Takes a whole number, 64 to 2,048.')
  await estimate()
  await page.getByText('This would be refused').waitFor()
  await tryIt(page).getByLabel('Width').fill('')
  await choose(page, 'Task', 'Image to image')
  await estimate()
  expect(await described('Images')).toContain('Takes 1 to 4 images.')
  await tryIt(page).getByLabel('Images').fill('file_none')
  await estimate()
  await vi.waitFor(async () => expect(await described('Images')).not.toContain('Takes 1 to 4 images.'), { timeout: 5000, interval: 20 })
  await screenshot(page, 'catalog-refused')
  await expectAccessible(page)
})

test('a locked family shows the reason and what to do, and offers no estimate', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: pageOf(team, 'sandbox-locked') })
  await page.getByRole('alert').getByText('Your subscription is not active').waitFor()
  expect(await tryIt(page).getByRole('button', { name: 'Estimate' }).count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'catalog-locked')
})
