import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { NotSent } from '../../../../src/network/trustedRequest.ts'
import { fal } from '../../../../src/providers/vendors/fal/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { falUnderTest, startFal } from '../../../support/vendors/fal.ts'
import { anInput, familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const fake = await startFal()
afterAll(fake.close)
beforeEach(() => fake.behave({ kind: 'well' }))

const families = await familiesOf('fal')
const kling = families.get('fal-kling-2.5-turbo-pro')
const provider = fal.make({ url: fake.url, key: falUnderTest.key, outputs: outputRules })
const { context } = aProviderContext()

async function submitted(spec = jobFor(kling), from = provider) {
  const answer = await from.submit(spec, context)
  if (answer.kind !== 'job') throw new Error(`not taken: ${JSON.stringify(answer)}`)
  return { spec, ...answer }
}

test('a job becomes a request of the model, and its output is the file of the model', async () => {
  const { spec, handle } = await submitted(jobFor(kling, { parameters: { durationSeconds: 10, aspectRatio: '9:16' } }))

  expect(fake.accepted.at(-1)?.body).toEqual({ prompt: 'a quiet harbour', duration: '10', aspect_ratio: '9:16' })
  const poll = await provider.poll(handle, spec, context)
  if (poll.state !== 'succeeded') throw new Error(poll.state)
  expect(poll.cost).toEqual({ quantity: 1.5, unit: 'second', usd: expect.closeTo(0.105, 9) })
  const collected = await provider.collect(poll.outputs[0] ?? { data: null }, spec, context)
  if (collected.state !== 'bytes') throw new Error(collected.state)
  expect(await buffer(collected.stream)).toEqual(await sampleFile('mp4'))
  expect(collected.mimeType).toBe('video/mp4')
})

test('the queue position counts from 1, and an unknown state counts as running', async () => {
  fake.behave({ kind: 'slow', looks: 4 })
  const { spec, handle, ...taken } = await submitted()
  expect(taken).toMatchObject({ state: 'queued', position: 4 })

  const states = []
  for (let looks = 0; looks < 5; looks++) states.push(await provider.poll(handle, spec, context))
  expect(states).toMatchObject([
    { state: 'queued', position: 2 },
    { state: 'queued', position: 1 },
    { state: 'running' },
    { state: 'running' },
    { state: 'succeeded' },
  ])

  fake.behave({ kind: 'unknown_state', looks: 1 })
  const strange = await submitted()
  expect(await provider.poll(strange.handle, strange.spec, context)).toMatchObject({ state: 'running' })
})

test('the handle is complete after the submit: another process continues with it, also at another base URL', async () => {
  fake.behave({ kind: 'slow', looks: 1 })
  const { spec, handle } = await submitted()
  const elsewhere = fal.make({ url: fake.url.replace('127.0.0.1', 'localhost'), key: falUnderTest.key, outputs: outputRules })
  const persisted = JSON.parse(JSON.stringify(handle)) as typeof handle

  expect(JSON.stringify(handle)).not.toContain(falUnderTest.key)
  expect(await elsewhere.poll(persisted, spec, context)).toMatchObject({ state: 'queued' })
})

test('the request turns off retries of fal, late starts and storage of outputs', async () => {
  const headers: Record<string, unknown>[] = []
  const spy = await startFal((request) => headers.push(request.headers))
  const spied = fal.make({ url: spy.url, key: falUnderTest.key, outputs: outputRules })
  const deadlineAt = new Date(context.clock.now().getTime() + 90_000)

  await submitted(jobFor(kling, { deadlineAt }), spied)
  await spy.close()

  expect(headers[0]).toMatchObject({
    authorization: `Key ${falUnderTest.key}`,
    'x-fal-no-retry': '1',
    'x-fal-request-timeout': '90',
    'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":86400}',
  })
})

test('an unreachable fal and an unreadable input certainly cost nothing', async () => {
  const nowhere = fal.make({ url: 'http://127.0.0.1:1', key: 'k', outputs: outputRules })
  await expect(nowhere.submit(jobFor(kling), context)).rejects.toBeInstanceOf(NotSent)

  const broken = anInput(Buffer.alloc(1), { open: () => Promise.reject(new Error('the storage is gone')) })
  const spec = jobFor(families.get('fal-trellis-2'), { inputs: [broken] })
  await expect(provider.submit(spec, context)).rejects.toBeInstanceOf(NotSent)
})

test('a cancel stops queued work, is too late for ended work, and is unknown for work that fal deleted', async () => {
  fake.behave({ kind: 'slow', looks: 3 })
  const waiting = await submitted()
  expect(await provider.cancel(waiting.handle, context)).toBe('cancelled')
  expect(fake.cancelled).toHaveLength(1)
  expect(await provider.poll(waiting.handle, waiting.spec, context)).toEqual({ state: 'cancelled' })

  fake.behave({ kind: 'well' })
  const over = await submitted()
  await provider.poll(over.handle, over.spec, context)
  expect(await provider.cancel(over.handle, context)).toBe('too_late')

  fake.work.clear()
  expect(await provider.cancel(over.handle, context)).toBe('unknown')
})

test('health names the variable of a rejected key, never its value', async () => {
  expect(await provider.health?.(context)).toEqual({ ok: true })
  const stranger = fal.make({ url: fake.url, key: 'wrong-key', outputs: outputRules })
  expect(await stranger.health?.(context)).toEqual({ ok: false, message: 'rejects FAL_KEY' })
  expect(await stranger.submit(jobFor(kling), context)).toEqual({
    kind: 'failed',
    failure: { code: 'authentication', reason: 'provider_access_closed' },
  })
})
