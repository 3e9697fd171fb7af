import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Refusal } from '../../src/contract/refusals/refusals.ts'
import { metricsRoute } from '../../src/http/monitoring/metricsRoute.ts'
import { metricQueries } from '../../src/metrics/deploymentMetrics.ts'
import { errorHandler } from '../../src/transport/translateError.ts'
import { testApp } from '../support/app.ts'
import { serviceToken } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const asTool = { authorization: `Bearer ${serviceToken}` }

test('with a single listener metrics need the service token, and other requests are rate limited', async () => {
  const app = await testApp({ serviceToken, settings: { requestsPerMinute: 2 } })
  onTestFinished(app.close)
  expect(await app.ask('GET //metrics')).toMatchObject({ status: 401, headers: { 'x-ratelimit-remaining': '1' } })
  expect(await app.ask('GET //metrics', { key: 'guess' })).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
  expect(await app.ask('GET //metrics')).toMatchObject({ status: 429 })
  const response = await app.ask('GET //metrics', { headers: asTool })
  expect(response.status).toBe(200)
  expect(response.text).toContain('atelier_http_requests_total{method="GET",route="/metrics",status="401"} 2')
})

test('without a configured service token metrics are not readable', async () => {
  const app = await testApp()
  onTestFinished(app.close)
  expect(await app.ask('GET //metrics', { key: 'undefined' })).toMatchObject({ status: 401 })
})

async function onInternalListener() {
  const { services, close } = await testServices()
  let counted = 0
  const count = async () => {
    counted += 1
    if (counted > 100) throw new Refusal('rate_limited')
  }
  const query = vi.spyOn(services.pool, 'query')
  const app = Fastify()
  app.setErrorHandler(errorHandler(services))
  await app.register(metricsRoute(services.metrics, { open: true, serviceToken, count }).plugin)
  onTestFinished(close)
  return { query, services, ask: () => app.inject('/metrics') }
}

test('on an internal listener metrics are public, rate limited, and read the database once in five seconds', async () => {
  const { ask, query } = await onInternalListener()
  const answers = await Promise.all(Array.from({ length: 120 }, ask))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20)
  expect(query).toHaveBeenCalledTimes(metricQueries.length)
})

test('metrics contain the locked families, and how often each was locked', async () => {
  const { ask, services } = await onInternalListener()
  await services.pool.query(
    `insert into breakers (subject, locked_until, opened) values ('family:sandbox-image', present() + interval '1 minute', 3)`,
  )
  await services.breakers.refresh()
  const { body } = await ask()
  expect(body).toContain('atelier_family_locked{family="sandbox-image"} 1')
  expect(body).toContain('atelier_family_locked{family="sandbox-audio"} 0')
  expect(body).toContain('atelier_breaker_opened_total{subject="family:sandbox-image"} 3')
})

test('metrics contain the open work, and how long it has been due', async () => {
  const { ask, services } = await onInternalListener()
  await services.pool.query(
    `select graphile_worker.add_job('finaliseGeneration', '{}', run_at => now() - interval '90 seconds'),
       graphile_worker.add_job('finaliseGeneration', '{}', run_at => now() + interval '90 seconds')`,
  )
  const { body } = await ask()
  expect(body).toContain('atelier_open_work{kind="jobs_waiting"} 2')
  expect(body).toContain('atelier_jobs_due{task="finaliseGeneration"} 1')
  expect(Number(/oldest_due_seconds\{task="finaliseGeneration"\} (\S+)/.exec(body)?.[1])).toBeGreaterThanOrEqual(90)
  expect(body).toContain('atelier_figures_up 1')
})

test('without the database, the metrics of the process are still exported', async () => {
  const { ask, services } = await onInternalListener()
  vi.spyOn(services.pool, 'query').mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  const { statusCode, body } = await ask()
  expect(statusCode).toBe(200)
  expect(body).toContain('atelier_figures_up 0')
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(body).not.toMatch(/^atelier_(processes|ledger_drift_accounts|deliveries_overdue)[ {]/m)
})
