import { expect, test } from 'vitest'
import { aComfyui, anImage, handleOf } from './comfyuiLab.ts'

/** One that runs and one that waits, of two callers. */
async function twoAtOnce(version?: string) {
  const lab = await aComfyui(version === undefined ? {} : { version })
  lab.fake.behave({ kind: 'slow', looks: 2 })
  const running = await anImage({ idempotencyKey: 'runs' })
  const waiting = await anImage({ idempotencyKey: 'waits' })
  const runningHandle = handleOf(await lab.provider.submit(running, lab.context))
  await lab.provider.poll(runningHandle, running, lab.context)
  lab.fake.behave({ kind: 'slow', looks: 100 })
  const waitingHandle = handleOf(await lab.provider.submit(waiting, lab.context))
  const [first] = lab.fake.prompts
  // From here on the first one runs for as long as the test lasts.
  if (first) Object.assign(first, { behaviour: { kind: 'slow', looks: 100 }, looks: 60 })
  const look = (which: 'runs' | 'waits') =>
    lab.provider.poll(which === 'runs' ? runningHandle : waitingHandle, which === 'runs' ? running : waiting, lab.context)
  return { ...lab, runningHandle, waitingHandle, look }
}

test.each(['0.45.2', '0.3.60', '0.3.20'])('a cancel takes work out of the queue of %s and leaves what runs alone', async (version) => {
  const { fake, provider, context, waitingHandle, look } = await twoAtOnce(version)

  expect(await provider.cancel(waitingHandle, context)).toBe('cancelled')

  expect(fake.cancelled).toHaveLength(1)
  expect(await look('runs')).toMatchObject({ state: 'running' })
  expect(await look('waits')).toMatchObject({ state: 'failed' })
})

test.each(['0.45.2', '0.3.60'])('a cancel stops work that runs on %s, and leaves what waits alone', async (version) => {
  const { provider, context, runningHandle, look } = await twoAtOnce(version)

  expect(await provider.cancel(runningHandle, context)).toBe('cancelled')

  expect(await look('runs')).toEqual({ state: 'cancelled' })
  expect(await look('waits')).toMatchObject({ state: 'queued' })
})

test('an old build, which would stop whatever runs, is never asked to interrupt', async () => {
  const { fake, provider, context, runningHandle, look } = await twoAtOnce('0.3.20')

  expect(await provider.cancel(runningHandle, context)).toBe('unsupported')

  expect(fake.unscopedInterrupts).toBe(0)
  expect(await look('runs')).toMatchObject({ state: 'running' })
})

test.each(['0.45.2', '0.3.60', '0.3.20'])('a cancel of work that has ended says so on %s and touches nobody', async (version) => {
  const { fake, provider, context } = await aComfyui({ version })
  const handle = handleOf(await provider.submit(await anImage(), context))

  expect(await provider.cancel(handle, context)).toBe('too_late')
  expect(fake.cancelled).toEqual([])
})
