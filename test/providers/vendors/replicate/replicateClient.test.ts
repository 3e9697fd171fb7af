import Replicate from 'replicate'
import { afterAll, expect, test } from 'vitest'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { replicateUnderTest, startReplicate } from '../../../support/vendors/replicate.ts'

const fake = await startReplicate()
afterAll(fake.close)
const client = new Replicate({ auth: replicateUnderTest.key, baseUrl: fake.url, useFileOutput: false })

test("Replicate's own client runs on our fake: a model by its name, with a file that it uploads", async () => {
  fake.behave({ kind: 'slow', looks: 2 })
  const image = await sampleFile('png')
  const statuses: string[] = []

  const output = await client.run(
    'black-forest-labs/flux-kontext-pro',
    { input: { prompt: 'make it night', input_image: image }, wait: { mode: 'poll', interval: 1 } },
    ({ status }) => statuses.push(status),
  )

  expect(output).toBe(`${fake.url}/files/png`)
  expect(new Set(statuses)).toEqual(new Set(['starting', 'processing', 'succeeded']))
  expect(fake.uploaded).toEqual([image])
})

test("Replicate's own client runs a version, cancels, and reads its errors as Replicate's", async () => {
  fake.behave({ kind: 'slow', looks: 3 })
  const prediction = await client.predictions.create({ version: 'e'.repeat(64), input: {} })
  expect(await client.predictions.cancel(prediction.id)).toMatchObject({ status: 'canceled' })
  expect(fake.cancelled).toEqual([prediction.id])

  fake.behave({ kind: 'fails', failure: 'content_policy/prompt_rejected' })
  await expect(client.run('black-forest-labs/flux-1.1-pro', { input: {}, wait: { mode: 'poll', interval: 1 } })).rejects.toThrow(
    /flagged as sensitive/,
  )
})
