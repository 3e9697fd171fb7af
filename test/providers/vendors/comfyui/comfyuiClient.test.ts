import { Client } from '@stable-canvas/comfyui-client'
import { expect, onTestFinished, test } from 'vitest'
import { comfyuiKey, startComfyui } from '../../../support/vendors/comfyuiServer.ts'

test('a third-party ComfyUI client queues a prompt on the fake, follows it to its end and removes another one', async () => {
  const fake = await startComfyui()
  onTestFinished(() => fake.close())
  const authorized: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, authorization: `Bearer ${comfyuiKey}` } })
  const client = new Client({ api_host: new URL(fake.url).host, fetch: authorized })
  const prompt = { '1': { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } } }

  const queued = await client._enqueue_prompt(prompt)
  const status = await client.getPromptStatus(queued.prompt_id)
  const outputs = await client.getPromptOutputs(queued.prompt_id)

  expect(status).toEqual({ running: false, pending: false, done: true })
  expect(outputs).toMatchObject({ '1': { images: [{ subfolder: 'atelier', type: 'output' }] } })
})
