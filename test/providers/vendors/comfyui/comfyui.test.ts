import { expect, test } from 'vitest'
import type { Output, Provider, ProviderContext } from '../../../../src/providers/provider.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { comfyuiFailures } from '../../../support/vendors/comfyuiFailures.ts'
import type { SentNodes } from '../../../support/vendors/comfyuiPrompts.ts'
import type { FakeComfyui } from '../../../support/vendors/comfyuiServer.ts'
import { anInput, bytesOf, jobOf } from '../../../support/vendors/vendorJobs.ts'
import { aComfyui, anImage, handleOf } from './comfyuiLab.ts'

test('a workflow reports its queue position, runs, and returns its file and running time', async () => {
  const { fake, provider, context } = await aComfyui()
  fake.behave({ kind: 'slow', looks: 2 })
  await provider.submit(await anImage({ idempotencyKey: 'somebody before us' }), context)
  const spec = await anImage()

  const submitted = await provider.submit(spec, context)
  const handle = handleOf(submitted)
  const looks = [
    await provider.poll(handle, spec, context),
    await provider.poll(handle, spec, context),
    await provider.poll(handle, spec, context),
  ]

  expect(submitted).toMatchObject({ kind: 'job', state: 'queued' })
  // The job before ours ran at the submit, and has ended now.
  expect(looks.map(({ state }) => state)).toEqual(['queued', 'running', 'succeeded'])
  expect(looks[0]).toMatchObject({ position: 1 })
  expect(looks[2]).toMatchObject({ outputs: [{ mimeType: 'image/png' }], cost: { quantity: 4.5, unit: 'second' } })
  expect(await bytesOf(await provider.collect(firstOf(looks[2]), spec, context))).toEqual(await sampleFile('png'))
})

test('positions count from 1 by the queue numbers, in any order of the list', async () => {
  const { fake, provider, context } = await aComfyui()
  fake.behave({ kind: 'slow', looks: 100 })
  const specs = await Promise.all(['a', 'b', 'c'].map((idempotencyKey) => anImage({ idempotencyKey })))
  const positions: unknown[] = []

  for (const spec of specs) {
    const handle = handleOf(await provider.submit(spec, context))
    positions.push(await provider.poll(handle, spec, context))
  }

  expect(positions).toMatchObject([{ position: 1 }, { position: 2 }, { position: 3 }])
})

test.each(['hangs', 'drops'] as const)('work is found after a lost answer (%s) and never submitted twice', async (kind) => {
  const { fake, provider, context } = await aComfyui()
  const spec = await anImage()
  fake.behave({ kind, when: 'after' })

  await expect(provider.submit(spec, { ...context, signal: AbortSignal.timeout(300) })).rejects.toThrow(
    /abort|timeout|other side closed|terminated|reset/i,
  )
  fake.behave({ kind: 'well' })
  const again = await provider.submit(spec, context)

  expect(fake.accepted).toHaveLength(1)
  expect(again).toMatchObject({ kind: 'job', handle: { data: { promptId: fake.accepted[0]?.id } } })
})

test('queued or running work is not submitted again, and its state is returned', async () => {
  const { fake, provider, context } = await aComfyui()
  const spec = await anImage()
  fake.behave({ kind: 'slow', looks: 100 })
  await provider.submit(spec, context)

  expect(await provider.submit(spec, context)).toMatchObject({ kind: 'job', state: 'queued', position: 1 })
  expect(fake.accepted).toHaveLength(1)
})

test("the caller's values fill the mapped inputs, and the rest of the workflow is unchanged", async () => {
  const { fake, provider, context } = await aComfyui()
  const spec = await jobOf('comfyui', 'comfyui-wan.text-to-video', { parameters: { durationSeconds: 5, width: 640, seed: 7 } })

  await provider.submit(spec, context)

  const nodes = nodesOf(fake)
  expect(nodes['5']?.inputs['text']).toBe('a quiet harbour')
  expect(nodes['7']?.inputs).toMatchObject({ length: 121, width: 640, height: 704 })
  expect(nodes['8']?.inputs).toMatchObject({ seed: 7, steps: 20 })
  expect(spec.settings).toMatchObject({ workflow: { '7': { inputs: { length: 73 } } } })
})

test('inputs are uploaded under unique names, which the nodes read', async () => {
  const { fake, provider, context } = await aComfyui()
  const picture = await sampleFile('png')
  const spec = await jobOf('comfyui', 'comfyui-hunyuan3d.image-to-3d', { prompt: null, inputs: [anInput(picture)] })

  const handle = handleOf(await provider.submit(spec, context))

  const name = `atelier/${(handle.data as { promptId: string }).promptId}-0.png`
  expect(nodesOf(fake)['2']?.inputs['image']).toBe(name)
  expect(fake.uploaded.map((bytes) => Buffer.from(bytes))).toEqual([picture])
  expect(await outputs(provider, spec, context)).toMatchObject([{ mimeType: 'model/gltf-binary' }])
})

test('of several files those of the output type are returned, in order', async () => {
  const { fake, provider, context } = await aComfyui()
  fake.behave({ kind: 'several' })
  const spec = await anImage()

  const names = (await outputs(provider, spec, context)).map(({ data }) => (data as { filename: string }).filename.slice(-10))

  expect(names).toEqual(['00001_.png', '00002_.png'])
})

test.each(Object.keys(comfyuiFailures))(
  'the error of ComfyUI for %s maps to that failure, and its text is only logged',
  async (failure) => {
    const { fake, provider, context, warnings } = await aComfyui()
    fake.behave({ kind: 'fails', failure })
    const spec = await jobOf('comfyui', 'comfyui-z-image.image-to-image', { inputs: [anInput(await sampleFile('png'))] })

    const submitted = await provider.submit(spec, context)
    const told = submitted.kind === 'job' ? await provider.poll(submitted.handle, spec, context) : submitted

    const reason = 'failure' in told ? `${told.failure.code}/${told.failure.reason}` : told
    expect(failure === 'user_cancellation/cancelled_upstream' ? told : reason).toEqual(
      failure === 'user_cancellation/cancelled_upstream' ? { state: 'cancelled' } : failure,
    )
    expect(JSON.stringify([told, warnings])).not.toContain('a quiet harbour')
  },
)

test('a missing model is named in the log', async () => {
  const { fake, provider, context, warnings } = await aComfyui()
  fake.behave({ kind: 'fails', failure: 'model_unavailable/model_offline' })

  await provider.submit(await anImage(), context)

  expect(JSON.stringify(warnings)).toContain('z_image_turbo_bf16.safetensors')
})

test('work that is unknown after a restart of the server fails', async () => {
  const { fake, provider, context } = await aComfyui()
  const spec = await anImage()
  const handle = handleOf(await provider.submit(spec, context))

  fake.prompts.length = 0

  expect(await provider.poll(handle, spec, context)).toMatchObject({ state: 'failed', failure: { reason: 'provider_failed' } })
})

test('an unknown state counts as running', async () => {
  const { fake, provider, context } = await aComfyui()
  fake.behave({ kind: 'unknown_state', looks: 1 })
  const spec = await anImage()
  const handle = handleOf(await provider.submit(spec, context))

  expect(await provider.poll(handle, spec, context)).toMatchObject({ state: 'running' })
  expect(await provider.poll(handle, spec, context)).toMatchObject({ state: 'succeeded' })
})

test('health names the variable of a refused token, not its value', async () => {
  const right = await aComfyui()
  const wrong = await aComfyui({ key: 'some-other-token' })

  expect(await right.provider.health?.(right.context)).toEqual({ ok: true })
  expect(await wrong.provider.health?.(wrong.context)).toEqual({ ok: false, message: 'rejects COMFYUI_TOKEN' })
  expect(await wrong.provider.submit(await anImage(), wrong.context)).toMatchObject({ failure: { code: 'authentication' } })
})

test('a 503 means that nothing was accepted, with the retry time', async () => {
  const { fake, provider, context } = await aComfyui()
  fake.behave({ kind: 'busy', status: 503, times: 1, retryAfterSeconds: 7 })

  expect(await provider.submit(await anImage(), context)).toEqual({ kind: 'busy', retryAfterMs: 7000 })
  expect(fake.accepted).toEqual([])
})

function nodesOf({ accepted: [first] }: FakeComfyui): SentNodes {
  return (first as { body: { prompt: SentNodes } }).body.prompt
}

async function outputs(provider: Provider, spec: Parameters<Provider['submit']>[0], context: ProviderContext): Promise<Output[]> {
  const poll = await provider.poll(handleOf(await provider.submit(spec, context)), spec, context)
  return poll.state === 'succeeded' ? poll.outputs : []
}

function firstOf(poll: Awaited<ReturnType<Provider['poll']>> | undefined): Output {
  const output = poll?.state === 'succeeded' ? poll.outputs[0] : undefined
  if (!output) throw new Error('no output')
  return output
}
