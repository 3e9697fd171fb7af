import { afterAll, expect, test } from 'vitest'
import { startBillingVendor } from './billingVendor.ts'
import { pictureFor } from './pictureFor.ts'
import { billOf } from './work.ts'

const vendor = await startBillingVendor({ secondsOf: () => 0.3, handleSeconds: 0.05 })
afterAll(() => vendor.close())

const synchronous = (prompt: string, signal?: AbortSignal) =>
  fetch(`${vendor.env['OPENAI_BASE_URL']}/images/generations`, { method: 'POST', body: JSON.stringify({ prompt }), signal: signal ?? null })
const queued = async (prompt: string) => {
  const response = await fetch(`${vendor.env['FAL_QUEUE_URL']}/billing/picture`, { method: 'POST', body: JSON.stringify({ prompt }) })
  return (await response.json()) as Record<'status_url' | 'response_url' | 'cancel_url', string>
}

test('every submit is billed when its work is done, also a repeat and one whose caller disconnects', async () => {
  await expect(synchronous('cut', AbortSignal.timeout(100))).rejects.toThrow('aborted')
  const answers = await Promise.all([synchronous('twice'), synchronous('twice')])
  const pictures = await Promise.all(answers.map(async (answer) => JSON.parse(await answer.text()).data[0].b64_json))
  await vendor.idle()

  expect(pictures).toEqual(Array(2).fill(pictureFor('twice').toString('base64')))
  const states = new Map([
    ['cut', 'failed'],
    ['twice', 'ready'],
  ])
  expect(billOf(vendor.works, states)).toEqual({ billed: 3, undelivered: 2, repeated: 1, unanswerable: 1 })
})

test('the queue returns a handle before the work is done, and does not bill cancelled work', async () => {
  const billedBefore = billOf(vendor.works, new Map()).billed
  const [kept, stopped] = await Promise.all([queued('kept'), queued('stopped')])
  expect(await (await fetch(kept.status_url)).json()).toMatchObject({ status: 'IN_PROGRESS' })
  expect((await fetch(stopped.cancel_url, { method: 'PUT' })).status).toBe(202)
  await vendor.idle()

  const { images } = (await (await fetch(kept.response_url)).json()) as { images: { url: string }[] }
  const bytes = await (await fetch(images[0]?.url ?? '')).arrayBuffer()
  expect(Buffer.from(bytes)).toEqual(pictureFor('kept'))
  expect((await fetch(stopped.response_url)).status).toBe(499)
  expect((await fetch(kept.cancel_url, { method: 'PUT' })).status).toBe(400)
  expect(billOf(vendor.works, new Map()).billed - billedBefore).toBe(1)
})

test('work of a killed process counts as unanswerable only when its submit was open at the kill or answered right before', () => {
  const at = (arrivedAt: number, answeredAt: number) => ({
    id: '',
    kind: 'queued' as const,
    prompt: `${arrivedAt}`,
    arrivedAt,
    answeredAt,
    madeAt: 9_000,
  })
  const works = [at(1_000, 2_000), at(1_500, 5_500), at(4_900, 6_000), at(6_000, 7_000)]
  expect(billOf(works, new Map(), [5_000])).toMatchObject({ undelivered: 4, unanswerable: 2 })
})
