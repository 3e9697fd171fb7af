import { expect, test } from 'vitest'
import { catalogOf, draft, problemsOf, variantDraft, withFirst } from './drafts.ts'

const inDollars = (usd: number) => withFirst({ prices: [{ unit: 'generation', usd }] })

async function creditsOf(usd: number, rates?: { creditsPerUsd: number; markup: number }): Promise<number | undefined> {
  const catalog = await catalogOf({ 'family.json': inDollars(usd) }, rates ? { rates } : {})
  return catalog.families.get('kite')?.variants[0]?.prices[0]?.credits
}

test('a price in dollars becomes credits by the rate and the markup, exactly', async () => {
  expect(await creditsOf(0.04)).toBe(4)
  expect(await creditsOf(0.003, { creditsPerUsd: 100, markup: 1.1 })).toBe(0.33)
  expect(await creditsOf(0.1, { creditsPerUsd: 3, markup: 1 })).toBe(0.3)
  expect(await creditsOf(0.07, { creditsPerUsd: 1000, markup: 1.25 })).toBe(87.5)
})

test('a price with too many decimals is rounded up, so that no price becomes zero', async () => {
  expect(await creditsOf(0.000_000_001)).toBe(0.000_001)
  expect(await creditsOf(0.001, { creditsPerUsd: 0.000_001, markup: 1 })).toBe(0.000_001)
})

test('a changed rate changes the etag of the family', async () => {
  const tags = await Promise.all(
    [1, 2].map(async (markup) => (await catalogOf({ 'family.json': inDollars(1) }, { rates: { creditsPerUsd: 100, markup } })).etag),
  )
  expect(tags[0]).not.toBe(tags[1])
})

test('a price is in either credits or dollars', async () => {
  const both = withFirst({ prices: [{ unit: 'generation', usd: 1, credits: 1 }] })
  const neither = withFirst({ prices: [{ unit: 'generation' }] })

  for (const file of [both, neither]) {
    expect(await problemsOf({ 'family.json': file })).toEqual([
      { file: 'family.json', path: 'variants[0].prices[0]', reason: 'Takes either credits or usd' },
    ])
  }
})

test('a rate that makes a price too high is an error at the start', async () => {
  const catalog = catalogOf({ 'family.json': inDollars(1000) }, { rates: { creditsPerUsd: 1_000_000, markup: 1 } })
  await expect(catalog).rejects.toThrow('family.json: variants[0].prices[0].usd: comes to more than 1000000 credits')
})

test('a family is loaded only when its providers are configured, and checked in any case', async () => {
  const lantern = { id: 'lantern', settings: { model: 'glow' } }
  const file = draft({ id: 'glow', axes: [], variants: [variantDraft('glow.one', { axes: {}, provider: lantern })] })
  const files = { 'glow.json': file, 'kite.json': draft() }
  const connectors = (isSetUp: boolean, reason?: string) =>
    new Map([['lantern', { isSetUp, check: () => (reason ? [{ path: 'provider.settings.model', reason }] : []) }]])

  expect([...(await catalogOf(files, { connectors: connectors(true) })).families.keys()]).toEqual(['glow', 'kite'])
  const without = await catalogOf(files, { connectors: connectors(false) })
  expect([...without.families.keys()]).toEqual(['kite'])
  expect([...without.absentProviderIds]).toEqual(['lantern'])
  for (const isSetUp of [true, false]) {
    await expect(catalogOf(files, { connectors: connectors(isSetUp, 'is unknown') })).rejects.toThrow(
      'glow.json: variants[0].provider.settings.model: is unknown',
    )
  }
})
