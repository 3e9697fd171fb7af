import { expect, test } from 'vitest'
import { callProvider, type StageOutput } from '../../../src/jobs/steps/callProvider.ts'
import type { Provider } from '../../../src/providers/provider.ts'

const clock = { now: () => new Date() }
const log = { warn: () => undefined }
const provider = { id: 'vendor', answerSeconds: { submit: 0.05 } } as unknown as Provider

test('the time of a call stands still while bytes that have arrived are stored', async () => {
  const timeIsOver = Promise.withResolvers<void>()
  const keep: StageOutput = async (_content, mimeType, { signal, onReceived }) => {
    onReceived()
    await timeIsOver.promise
    return { data: signal.aborted, mimeType, kept: true }
  }
  const asked = callProvider(provider, 'submit', { clock, log, keep }, (context) => context.keep(Buffer.from('made'), 'image/png'))
  setTimeout(() => timeIsOver.resolve(), 100)
  expect(await asked).toEqual({ data: false, mimeType: 'image/png', kept: true })
})

test('the time of a call stands still while its own disk takes nothing, and goes on afterwards', async () => {
  const timeIsOver = Promise.withResolvers<void>()
  const keep: StageOutput = async (_content, mimeType, { signal, pausing }) => {
    await pausing(() => timeIsOver.promise)
    return { data: signal.aborted, mimeType, kept: true }
  }
  const asked = callProvider(provider, 'submit', { clock, log, keep }, (context) => context.keep(Buffer.from('made'), 'image/png'))
  setTimeout(() => timeIsOver.resolve(), 100)
  expect(await asked).toEqual({ data: false, mimeType: 'image/png', kept: true })
})

test('the time of a call goes on while bytes arrive', async () => {
  const keep: StageOutput = (_content, _mimeType, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const asked = callProvider(provider, 'submit', { clock, log, keep }, (context) => context.keep(Buffer.from('made'), 'image/png'))
  await expect(asked).rejects.toThrow('no answer to submit')
})
