import { afterAll, expect, test } from 'vitest'
import { inlineBytesMax, planInputTransport } from '../../../../src/providers/vendors/fal/falInputs.ts'
import { fal } from '../../../../src/providers/vendors/fal/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { falUnderTest, startFal } from '../../../support/vendors/fal.ts'
import { anInput, familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const fake = await startFal()
afterAll(fake.close)
const families = await familiesOf('fal')
const provider = fal.make({ url: fake.url, key: falUnderTest.key, outputs: outputRules })
const kling = { modelId: 'fal-kling-2.5-turbo-pro.image-to-video' }
const outside = () => 'https://atelier.example.com/r/token'
const sized = (sizeBytes: number, link = outside) => anInput(Buffer.from('picture'), { sizeBytes, link })

test('small inputs are inline in the request, in order', async () => {
  const png = await sampleFile('png')
  const jpeg = await sampleFile('jpeg')
  const inputs = [anInput(png), anInput(jpeg, { mimeType: 'image/jpeg' })]

  await provider.submit(jobFor(families.get('fal-kling-2.5-turbo-pro'), { ...kling, inputs }), aProviderContext().context)

  expect(fake.accepted.at(-1)?.body).toMatchObject({
    image_url: `data:image/png;base64,${png.toString('base64')}`,
    tail_image_url: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
  })
})

test('fal fetches a larger input by a link for this attempt only', async () => {
  const inputs = [sized(inlineBytesMax), sized(1)]

  await provider.submit(jobFor(families.get('fal-kling-2.5-turbo-pro'), { ...kling, inputs }), aProviderContext().context)

  expect(fake.accepted.at(-1)?.body).toMatchObject({ image_url: expect.stringMatching(/^data:/), tail_image_url: outside() })
})

test('when fal cannot reach us, the failure has the size limit, and nothing is sent', async () => {
  const before = fake.accepted.length
  const { context, warnings } = aProviderContext()
  const inputs = [sized(inlineBytesMax + 1, () => 'https://10.0.0.1/r/token')]

  const submitted = await provider.submit(jobFor(families.get('fal-trellis-2'), { inputs }), context)

  const details = { maxBytes: inlineBytesMax, actualBytes: inlineBytesMax + 1 }
  expect(submitted).toEqual({ kind: 'failed', failure: { code: 'file_size', reason: 'file_too_large', details } })
  expect(fake.accepted).toHaveLength(before)
  expect(warnings[0]?.message).toContain('BASE_URL')
})

test('only the inputs without room are sent by link', () => {
  expect(planInputTransport([sized(inlineBytesMax - 1), sized(5), sized(1)])).toEqual({ links: [undefined, outside(), undefined] })
})
