import { afterAll, beforeEach, expect, test } from 'vitest'
import { replicate } from '../../../../src/providers/vendors/replicate/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { replicateUnderTest, startReplicate } from '../../../support/vendors/replicate.ts'
import { familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const headers: Record<string, unknown>[] = []
const paths: (string | undefined)[] = []
const fake = await startReplicate((request) => {
  headers.push(request.headers)
  paths.push(request.url)
})
afterAll(fake.close)
beforeEach(() => fake.behave({ kind: 'well' }))

const families = await familiesOf('replicate')
const kling = families.get('replicate-kling-2.5-turbo-pro')
const provider = replicate.make({ url: fake.url, key: replicateUnderTest.key, outputs: outputRules })
const { context } = aProviderContext()

async function submitted(spec = jobFor(kling)) {
  const answer = await provider.submit(spec, context)
  if (answer.kind !== 'job') throw new Error(`not taken: ${JSON.stringify(answer)}`)
  return { spec, ...answer }
}

test('an official model runs by name, any other by version, and no request waits for the result', async () => {
  await submitted(jobFor(kling, { parameters: { durationSeconds: 10 } }))
  expect(paths.at(-1)).toBe('/models/kwaivgi/kling-v2.5-turbo-pro/predictions')
  expect(fake.accepted.at(-1)?.body).toEqual({ input: { prompt: 'a quiet harbour', duration: 10 } })

  await submitted(jobFor(families.get('replicate-trellis'), { parameters: { textureSize: 512 } }))
  expect(paths.at(-1)).toBe('/predictions')
  expect(fake.accepted.at(-1)?.body).toMatchObject({
    version: expect.stringMatching(/^e8f6/),
    input: { texture_size: 512, generate_model: true },
  })
  expect(headers.some((each) => 'prefer' in each)).toBe(false)
})

test('work reports queued, then progress from the log of its model, and an unknown state counts as running', async () => {
  fake.behave({ kind: 'slow', looks: 4 })
  const { spec, handle, state } = await submitted()
  const polls = []
  for (let looks = 0; looks < 5; looks++) polls.push(await provider.poll(handle, spec, context))

  expect(state).toBe('queued')
  expect(polls).toMatchObject([
    { state: 'queued' },
    { state: 'queued' },
    { state: 'running', progress: 0.33 },
    { state: 'running', progress: 0.67 },
    { state: 'succeeded' },
  ])
  fake.behave({ kind: 'unknown_state', looks: 1 })
  const strange = await submitted()
  expect(await provider.poll(strange.handle, strange.spec, context)).toMatchObject({ state: 'running' })
})

test('the running seconds of the model are reported, with their cost when the catalog has a price', async () => {
  const trellis = await submitted(jobFor(families.get('replicate-trellis')))
  expect(await provider.poll(trellis.handle, trellis.spec, context)).toMatchObject({
    outputs: [{ data: { url: `${fake.url}/files/glb` } }],
    cost: { quantity: 2.5, unit: 'second', usd: expect.closeTo(0.0035, 9) },
  })
  const clip = await submitted()
  expect(await provider.poll(clip.handle, clip.spec, context)).toMatchObject({ cost: { quantity: 2.5, unit: 'second' } })
})

test('the deadline is sent to Replicate, never below its minimum', async () => {
  const inSeconds = (seconds: number) => new Date(context.clock.now().getTime() + seconds * 1000)
  await submitted(jobFor(kling, { deadlineAt: inSeconds(90) }))
  expect(headers.at(-1)).toMatchObject({ 'cancel-after': '90s', authorization: `Bearer ${replicateUnderTest.key}` })
  await submitted(jobFor(kling, { deadlineAt: inSeconds(1) }))
  expect(headers.at(-1)).toMatchObject({ 'cancel-after': '5s' })
})

test('a cancel stops queued work, is too late for ended work, and is unknown for work that Replicate deleted', async () => {
  fake.behave({ kind: 'slow', looks: 3 })
  const waiting = await submitted()
  expect(await provider.cancel(waiting.handle, context)).toBe('cancelled')
  expect(await provider.poll(waiting.handle, waiting.spec, context)).toEqual({ state: 'cancelled' })

  fake.behave({ kind: 'well' })
  const over = await submitted()
  await provider.poll(over.handle, over.spec, context)
  expect(await provider.cancel(over.handle, context)).toBe('too_late')

  fake.work.clear()
  expect(await provider.cancel(over.handle, context)).toBe('unknown')
  await expect(provider.poll(over.handle, over.spec, context)).rejects.toThrow('404')
})

test('health names the variable of a rejected key, never its value', async () => {
  expect(await provider.health?.(context)).toEqual({ ok: true })
  const stranger = replicate.make({ url: fake.url, key: 'wrong-key', outputs: outputRules })
  expect(await stranger.health?.(context)).toEqual({ ok: false, message: 'rejects REPLICATE_API_TOKEN' })
  expect(await stranger.submit(jobFor(kling), context)).toEqual({
    kind: 'failed',
    failure: { code: 'authentication', reason: 'provider_access_closed' },
  })
})
