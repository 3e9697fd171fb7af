import { expect, onTestFinished, test, vi } from 'vitest'
import { startTelemetry } from '../../src/tracing/openTelemetry.ts'
import { traced } from '../../src/tracing/tracing.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { aCollector, type Collector } from '../support/http/collector.ts'
import { aReceiver } from '../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../support/webhooks/webhooks.ts'

const everything = {
  serviceName: undefined,
  version: '1',
  sampler: 'parentbased_always_on',
  ratio: 1,
  traces: true,
  metrics: false,
} as const

function sendingTo(collector: Collector, own: Partial<Parameters<typeof startTelemetry>[0]> = {}) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const faults: string[] = []
  const telemetry = startTelemetry({
    ...everything,
    metricsEveryMs: 60_000,
    figures: async () => [],
    onFault: (reason) => void faults.push(reason),
    ...own,
  })
  onTestFinished(telemetry.close)
  return { ...telemetry, faults }
}

const foreignTraceparent = '00-11111111111111111111111111111111-2222222222222222-01'

test('one trace covers a start and its webhook, and contains no secrets and no personal data', { timeout: 60_000 }, async () => {
  const collector = await aCollector()
  const telemetry = sendingTo(collector)
  const app = await testApp({ worker: true, clock: 'database', settings: loopback })
  onTestFinished(app.close)
  const receiver = await aReceiver()
  const team = await aTeamWithKey(app.services)
  await aSubscription(app.services, team, `${receiver.address}?token=receivers-secret`)
  const prompt = 'a very private lighthouse'
  const started = await app.ask('POST /generations', {
    key: team.value,
    body: { familyId: 'sandbox-image', prompt },
    headers: { traceparent: foreignTraceparent },
  })
  expect(started.status).toBe(201)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 30_000, interval: 50 })
  expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent')
  await vi.waitFor(() => expect(collector.spans.some(({ name }) => name === 'webhook attempt')).toBe(true), {
    timeout: 10_000,
    interval: 100,
  })
  await telemetry.close()

  const request = collector.spans.find(({ name }) => name === 'POST /api/v1/generations')
  const trace = collector.spans.filter(({ traceId }) => traceId === request?.traceId)
  const names = new Set(trace.map(({ name }) => name))
  const steps = [
    'startGeneration',
    'start_generations',
    'admit_requests',
    'claim_generation',
    'provider submit',
    'provider collect',
    'webhook attempt',
  ]
  for (const step of [...steps, 'job submitGeneration', 'job finaliseGeneration']) expect(names).toContain(step)
  expect(trace.filter(({ parentId }) => parentId === '')).toEqual([request])
  const ids = new Set(trace.map(({ spanId }) => spanId))
  expect(trace.every(({ parentId }) => parentId === '' || ids.has(parentId))).toBe(true)
  expect(request?.links).toEqual(['1'.repeat(32)])
  expect(request?.traceId).not.toBe('1'.repeat(32))
  for (const secret of [prompt, 'lighthouse', team.value, 'receivers-secret', '127.0.0.1', team.team.name])
    expect(collector.text()).not.toContain(secret)
})

test('spans that our sampler drops are not exported, whatever the traceparent of the caller says', async () => {
  const collector = await aCollector()
  const telemetry = sendingTo(collector, { sampler: 'parentbased_always_off' })
  const app = await testApp()
  onTestFinished(app.close)
  const team = await aTeamWithKey(app.services)
  expect((await app.ask('GET /account', { key: team.value, headers: { traceparent: foreignTraceparent } })).status).toBe(200)
  await telemetry.close()
  expect(collector.spans).toEqual([])
})

test('a silent collector delays nothing, is logged once, and does not block the shutdown', async () => {
  const collector = await aCollector({ hangs: true })
  const telemetry = sendingTo(collector, { shutdownMs: 200 })
  for (let count = 0; count < 20_000; count++) await traced('work', {}, async () => undefined)
  const begunAt = performance.now()
  await telemetry.close()
  expect(performance.now() - begunAt).toBeLessThan(4000)
  expect(telemetry.faults.length).toBeLessThanOrEqual(1)
})

test('exported metrics equal those of /metrics, with the same names', async () => {
  const collector = await aCollector()
  const app = await testApp()
  onTestFinished(app.close)
  const telemetry = sendingTo(collector, { traces: false, metrics: true, figures: () => app.services.metrics.figures() })
  await app.ask('GET /account')
  await telemetry.close()
  for (const name of [
    'atelier_http_requests_total',
    'atelier_http_request_seconds',
    'atelier_open_work',
    'process_resident_memory_bytes',
  ]) {
    expect(collector.metricNames).toContain(name)
  }
})
