import { afterAll, expect, test } from 'vitest'
import { sealedPage } from '../../../src/schema/core/sealedPage.ts'
import { aServiceContext } from '../../support/factories.ts'
import { issueOf, refused } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = aServiceContext(services)
const all = Array.from({ length: 120 }, (_, index) => String(index).padStart(3, '0'))

function page(asked: { cursor?: string | null; limit?: number }, of = ['numbers']) {
  return sealedPage(context, asked, {
    of,
    find: async ({ after = '', limit }) => all.filter((each) => each > after).slice(0, limit),
    keyOf: (each) => each,
    present: async (found) => found,
  })
}

test('a page has at most 50 entries, which is the default, and pages follow each other to the end', async () => {
  const sizes: number[] = []
  const read: string[] = []
  for (let cursor: string | null = null; ; ) {
    const { items, nextCursor }: Awaited<ReturnType<typeof page>> = await page({ cursor })
    sizes.push(items.length)
    read.push(...items)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  expect([sizes, read]).toEqual([[50, 50, 20], all])
  expect((await page({ limit: 50 })).items).toHaveLength(50)
  expect((await page({ limit: 1 })).items).toEqual(['000'])
})

test.each([0, -1, 51, 1_000_000])('a page of %s entries is refused', async (limit) => {
  expect(await issueOf(page({ limit }))).toMatch(/too_(small|big)$/)
})

test('a cursor of another list, and an altered one, are refused', async () => {
  const cursor = (await page({ limit: 1 })).nextCursor ?? ''
  expect((await page({ cursor, limit: 1 })).items).toEqual(['001'])
  for (const [faulty, of] of [
    [cursor, ['others']],
    [`${cursor}x`, ['numbers']],
    ['', ['numbers']],
  ] as [string, string[]][])
    expect((await refused(page({ cursor: faulty }, of))).code).toBe('invalid_cursor')
})
