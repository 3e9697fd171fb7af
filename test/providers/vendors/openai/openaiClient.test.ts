import OpenAI, { toFile } from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { openaiUnderTest } from '../../../support/vendors/openai.ts'

/** The vendor's own client, to check that the fake behaves like the vendor. */
async function aClient({ apiKey = openaiUnderTest.key }: { apiKey?: string } = {}) {
  const fake = await openaiUnderTest.startFake()
  onTestFinished(() => fake.close())
  return { fake, client: new OpenAI({ apiKey, baseURL: fake.url, maxRetries: 0 }) }
}

test("the vendor's own client draws, edits and speaks with the fake", async () => {
  const { client, fake } = await aClient()
  const drawn = await client.images.generate({ model: 'gpt-image-2', prompt: 'a boat', output_format: 'webp' })
  expect(Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64')).toEqual(await sampleFile('webp'))
  expect(drawn.usage).toMatchObject({ input_tokens: 50, output_tokens: 1_756 })

  const picture = await toFile(await sampleFile('png'), 'boat.png', { type: 'image/png' })
  const edited = await client.images.edit({ model: 'gpt-image-2', prompt: 'at night', image: [picture, picture] })
  expect(edited.usage?.input_tokens_details.image_tokens).toBe(350)

  const spoken = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'a boat', response_format: 'wav' })
  expect(Buffer.from(await spoken.arrayBuffer())).toEqual(await sampleFile('wav'))

  const bytes = new Uint8Array(await sampleFile('png'))
  const file = { name: 'boat.png', type: 'image/png', bytes }
  expect(fake.accepted[1]?.body).toMatchObject({ prompt: 'at night', 'image[]': [file, file] })
})

test("the vendor's own client reads the errors of the fake as the vendor's", async () => {
  const { client, fake } = await aClient()
  fake.behave({ kind: 'fails', failure: 'content_policy/prompt_rejected' })
  const blocked = client.images.generate({ model: 'gpt-image-2', prompt: 'a boat' })
  await expect(blocked).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' })
  fake.behave({ kind: 'busy', status: 429, times: 1, retryAfterSeconds: 3 })
  const busy = client.images.generate({ model: 'gpt-image-2', prompt: 'a boat' })
  await expect(busy).rejects.toBeInstanceOf(OpenAI.RateLimitError)
  expect(fake.accepted).toEqual([])

  const stranger = await aClient({ apiKey: 'sk-of-somebody-else' })
  await expect(stranger.client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
})
