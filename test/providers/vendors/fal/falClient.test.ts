import { createFalClient } from '@fal-ai/client'
import { afterAll, expect, test } from 'vitest'
import { falUnderTest, startFal } from '../../../support/vendors/fal.ts'

const fake = await startFal()
afterAll(fake.close)

/** The vendor's own client with our fake behind it: it has no setting for the base URL. */
const client = createFalClient({
  credentials: falUnderTest.key,
  fetch: (input, init) => fetch(new Request(input).url.replace('https://queue.fal.run', fake.url), init),
})
const model = 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video'

test("fal's own client runs on our fake, from submit to result", async () => {
  fake.behave({ kind: 'slow', looks: 2 })
  const seen: string[] = []

  const { data, requestId } = await client.subscribe(model, {
    input: { prompt: 'a quiet harbour' },
    pollInterval: 1,
    onQueueUpdate: ({ status }) => seen.push(status),
  })

  expect(seen).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'])
  expect(requestId).toBe(fake.accepted.at(-1)?.id)
  expect(data).toMatchObject({ video: { url: `${fake.url}/files/mp4`, content_type: 'video/mp4' } })
})

test("fal's own client cancels on our fake, and reads its errors as fal's", async () => {
  fake.behave({ kind: 'slow', looks: 2 })
  const { request_id: requestId } = await client.queue.submit(model, { input: { prompt: 'a quiet harbour' } })
  await client.queue.cancel(model, { requestId })
  expect(fake.cancelled).toEqual([requestId])

  fake.behave({ kind: 'fails', failure: 'content_policy/prompt_rejected' })
  await expect(client.subscribe(model, { input: { prompt: 'a quiet harbour' }, pollInterval: 1 })).rejects.toMatchObject({
    name: 'ValidationError',
    status: 422,
    fieldErrors: [{ type: 'content_policy_violation', loc: ['body', 'prompt'] }],
  })
})
