import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Generation } from '../../src/entities/Generation.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app

/** Says when a page is read, and when its first item is written. */
function watchPages(onStep: (step: 'read' | 'written') => void): void {
  const { history } = services
  services.history = {
    ...history,
    async read(own, read) {
      onStep('read')
      const result = await history.read(own, read)
      const { rows } = result as { rows: Generation[] }
      for (const row of rows) row.metadata = Object.defineProperty({}, 'toJSON', { value: () => onStep('written') ?? {} })
      return result
    },
  }
  onTestFinished(() => void (services.history = history))
}

test('a team has one whole page in memory: the next page is read after the previous one was written', async () => {
  const { value: key } = await aTeamWithKey(services)
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const steps: string[] = []
  watchPages((step) => void steps.push(step))
  const pages = await Promise.all([1, 2, 3].map(() => app.ask('GET /generations?limit=50', { key })))
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(steps).toEqual(['read', 'written', 'read', 'written', 'read', 'written'])
})

test('a page whose writing fails releases its memory budget', async () => {
  const { value: key } = await aTeamWithKey(services)
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  let written = 0
  watchPages((step) => {
    if (step === 'written' && (written += 1) === 1) throw new Error('not writable')
  })
  expect((await app.ask('GET /generations?limit=50', { key })).status).toBe(500)
  expect((await app.ask('GET /generations?limit=50', { key })).status).toBe(200)
})
