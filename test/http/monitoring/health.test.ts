import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { type ReadinessOptions, readinessRoute } from '../../../src/http/monitoring/health.ts'
import { testApp } from '../../support/app.ts'

async function aDoor(options: Partial<ReadinessOptions> = {}) {
  let looks = 0
  let counted = 0
  const readiness = async () => {
    looks += 1
    return { ready: true, faults: [] }
  }
  const count = async () => void (counted += 1)
  const app = Fastify()
  await app.register(readinessRoute({ readiness, isDraining: () => false, count, ...options }).plugin)
  return { ask: async () => (await app.inject('/readyz')).statusCode, seen: () => ({ looks, counted }) }
}

test('readiness checks read the database at most once a second, and only those reads count', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, seen } = await aDoor()
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200))
  vi.advanceTimersByTime(999)
  await ask()
  expect(seen()).toEqual({ looks: 1, counted: 1 })
  vi.advanceTimersByTime(1)
  await Promise.all([ask(), ask()])
  expect(seen()).toEqual({ looks: 2, counted: 2 })
})

test('a client over the limit is refused, and the next request gets the cached result', async () => {
  let first = true
  const count = async () => {
    if (first) {
      first = false
      throw Object.assign(new Refusal('rate_limited'), { statusCode: 429 })
    }
  }
  const { ask, seen } = await aDoor({ count })
  expect(await ask()).toBe(429)
  expect(await ask()).toBe(200)
  expect(seen().looks).toBe(1)
})

test('while the database cannot count requests, readiness still reports the faults', async () => {
  const count = async () => {
    throw new Refusal('service_unavailable')
  }
  const { ask } = await aDoor({ count, readiness: async () => ({ ready: false, faults: ['the database cannot be reached'] }) })
  expect(await ask()).toBe(503)
})

test('many concurrent readiness checks count one request', async () => {
  const app = await testApp()
  onTestFinished(app.close)
  const answers = await Promise.all(Array.from({ length: 200 }, () => app.ask('GET //readyz')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { rows } = await app.services.pool.query('select subject, requests from request_counts')
  expect(rows).toEqual([{ subject: 'address:127.0.0.1', requests: 1 }])
})
