import { expect, test } from 'vitest'
import { openProviderCall, type ProviderCallOptions, type StageOutput } from '../../../src/jobs/steps/openProviderCall.ts'
import type { Provider } from '../../../src/providers/provider.ts'

const clock = { now: () => new Date() }
const log = { warn: () => undefined }
const provider = { id: 'vendor', answerSeconds: { submit: 0.02 } } as unknown as Provider

async function stageBytes(stage: StageOutput) {
  using call = openProviderCall(provider, 'submit', { clock, log, stage })
  return await call.awaitAnswer(call.context.keep(Buffer.from('bytes'), 'image/png'))
}

function recordedCalls(): Pick<ProviderCallOptions, 'clock' | 'log' | 'metrics'> & { outcomes: string[] } {
  const outcomes: string[] = []
  const metrics = { providerCall: ({ outcome }: { outcome: string }) => outcomes.push(outcome) }
  return { clock, log, metrics: metrics as unknown as NonNullable<ProviderCallOptions['metrics']>, outcomes }
}

test('the time limit of a call is paused while received bytes are stored', async () => {
  const timeIsOver = Promise.withResolvers<void>()
  const staged = stageBytes(async (_content, mimeType, { signal, onReceived }) => {
    onReceived()
    await timeIsOver.promise
    return { data: signal.aborted, mimeType, kept: true }
  })
  setTimeout(() => timeIsOver.resolve(), 50)
  expect(await staged).toEqual({ data: false, mimeType: 'image/png', kept: true })
})

test('the time limit of a call is paused during a wait for our own disk, and resumes afterwards', async () => {
  const timeIsOver = Promise.withResolvers<void>()
  const staged = stageBytes(async (_content, mimeType, { signal, pausing }) => {
    await pausing(() => timeIsOver.promise)
    return { data: signal.aborted, mimeType, kept: true }
  })
  setTimeout(() => timeIsOver.resolve(), 50)
  expect(await staged).toEqual({ data: false, mimeType: 'image/png', kept: true })
})

test('the time limit of a call runs while bytes arrive', async () => {
  const staged = stageBytes(
    (_content, _mimeType, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  await expect(staged).rejects.toThrow('no answer to submit')
})

test('a call that the provider does not answer ends at its time limit and is recorded once, as unanswered', async () => {
  const { outcomes, ...options } = recordedCalls()
  const callSubmit = async () => {
    using call = openProviderCall(provider, 'submit', options)
    return await call.awaitAnswer(new Promise(() => {}))
  }
  await expect(callSubmit()).rejects.toThrow('no answer to submit')
  expect(outcomes).toEqual(['unanswered'])
})

test('a call is recorded as answered, or not at all when we have aborted it', async () => {
  const { outcomes, ...options } = recordedCalls()
  const shutdown = new AbortController()
  const callPoll = async (answer: Promise<unknown>) => {
    using call = openProviderCall(provider, 'poll', { ...options, abortOn: [shutdown.signal] })
    return await call.awaitAnswer(answer)
  }
  expect(await callPoll(Promise.resolve('running'))).toBe('running')
  const pending = callPoll(new Promise(() => {}))
  shutdown.abort(new Error('shutdown'))
  await expect(pending).rejects.toThrow('shutdown')
  await expect(callPoll(Promise.resolve('running'))).rejects.toThrow('shutdown')
  expect(outcomes).toEqual(['answered'])
})
