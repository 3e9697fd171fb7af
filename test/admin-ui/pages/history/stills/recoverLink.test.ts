import { expect, test } from 'vitest'
import { FileRefused } from '../../../../../src/admin-ui/pages/history/stills/readFile.ts'
import { recoverLink } from '../../../../../src/admin-ui/pages/history/stills/recoverLink.ts'

const refused = (status: number, headers: Record<string, string> = {}) => new FileRefused(new Response(null, { status, headers }))

/** Recovers from `error`, and returns what happened. The waits are recorded and not waited. */
async function recover(error: unknown, { renewed = true } = {}) {
  const waits: number[] = []
  let renewals = 0
  const isRecovered = await recoverLink('/r/token', {
    error,
    renewLink: async () => {
      renewals += 1
      return renewed
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
    signal: new AbortController().signal,
  })
  return { isRecovered, waits, renewals }
}

test('a refusal for the moment is waited for, as long as the server says', async () => {
  const { isRecovered, waits, renewals } = await recover(refused(429, { 'retry-after': '7' }))
  expect({ isRecovered, renewals }).toEqual({ isRecovered: true, renewals: 0 })
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThanOrEqual(7000)
  expect(waits[0]).toBeLessThanOrEqual(10_500)
})

test('a refusal without Retry-After is waited for a second, and a long one not at all', async () => {
  expect((await recover(refused(503))).waits[0]).toBeGreaterThanOrEqual(1000)
  expect(await recover(refused(429, { 'retry-after': '61' }))).toEqual({ isRecovered: false, waits: [], renewals: 0 })
})

test('a link that has ended is renewed at once', async () => {
  expect(await recover(refused(404))).toEqual({ isRecovered: true, waits: [], renewals: 1 })
  expect(await recover(refused(404), { renewed: false })).toEqual({ isRecovered: false, waits: [], renewals: 1 })
})

test('a file that the browser cannot decode, or that the server cannot send, is not asked for again', async () => {
  for (const error of [new Error('no sound'), refused(500)])
    expect(await recover(error)).toEqual({ isRecovered: false, waits: [], renewals: 0 })
})
