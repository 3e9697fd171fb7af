import { GoogleGenAI } from '@google/genai'
import { expect, onTestFinished, test } from 'vitest'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { googleKey, startGoogle } from '../../../support/vendors/googleServer.ts'

test("Google's own client makes an image, an interaction and a video of Veo at the fake", async () => {
  const fake = await startGoogle()
  onTestFinished(() => fake.close())
  const client = new GoogleGenAI({ apiKey: googleKey, httpOptions: { baseUrl: new URL(fake.url).origin, retryOptions: { attempts: 1 } } })

  const image = await client.models.generateContent({ model: 'gemini-nano-banana-2.1', contents: 'a boat' })
  const started = await client.interactions.create({ model: 'gemini-omni-1.1-flash', input: 'a boat', background: true })
  const ended = await client.interactions.get(started.id ?? '')
  const operation = await client.models.generateVideos({ model: 'veo-3.1-generate-preview', source: { prompt: 'a boat' } })
  const video = await client.operations.getVideosOperation({ operation })

  expect(image.data).toBe((await sampleFile('png')).toString('base64'))
  expect(ended).toMatchObject({ status: 'completed' })
  expect(video.response?.generatedVideos?.[0]?.video?.uri).toBe(`${fake.url}/files/well:download?alt=media`)
})
