import { expect, test } from 'vitest'
import { aComfyui, anImage, handleOf } from './comfyuiLab.ts'

/** Submits two jobs of two callers: one runs, the other one waits. */
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
  // The first job now runs until the end of the test.
  if (first) Object.assign(first, { behaviour: { kind: 'slow', looks: 100 }, looks: 60 })
  const look = (which: 'runs' | 'waits') =>
    lab.provider.poll(which === 'runs' ? runningHandle : waitingHandle, which === 'runs' ? running : waiting, lab.context)
  return { ...lab, runningHandle, waitingHandle, look }
}

test.each(['0.45.2', '0.3.60', '0.3.20'])('a cancel on %s removes queued work and does not touch running work', async (version) => {
  const { fake, provider, context, waitingHandle, look } = await twoAtOnce(version)

  expect(await provider.cancel(waitingHandle, context)).toBe('cancelled')

  expect(fake.cancelled).toHaveLength(1)
  expect(await look('runs')).toMatchObject({ state: 'running' })
  expect(await look('waits')).toMatchObject({ state: 'failed' })
})

test.each(['0.45.2', '0.3.60'])('a cancel on %s stops running work and does not touch queued work', async (version) => {
  const { provider, context, runningHandle, look } = await twoAtOnce(version)

  expect(await provider.cancel(runningHandle, context)).toBe('cancelled')

  expect(await look('runs')).toEqual({ state: 'cancelled' })
  expect(await look('waits')).toMatchObject({ state: 'queued' })
})

test('an old build, which would interrupt any running work, gets no interrupt', async () => {
  const { fake, provider, context, runningHandle, look } = await twoAtOnce('0.3.20')

  expect(await provider.cancel(runningHandle, context)).toBe('unsupported')

  expect(fake.unscopedInterrupts).toBe(0)
  expect(await look('runs')).toMatchObject({ state: 'running' })
})

test.each(['0.45.2', '0.3.60', '0.3.20'])('a cancel of ended work on %s is too late and touches nothing', async (version) => {
  const { fake, provider, context } = await aComfyui({ version })
  const handle = handleOf(await provider.submit(await anImage(), context))

  expect(await provider.cancel(handle, context)).toBe('too_late')
  expect(fake.cancelled).toEqual([])
})
