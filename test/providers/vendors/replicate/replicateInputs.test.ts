import { afterAll, beforeEach, expect, test } from 'vitest'
import { NotSent } from '../../../../src/network/trustedRequest.ts'
import { replicate } from '../../../../src/providers/vendors/replicate/index.ts'
import { inlineBytesMax, uploadBytesMax } from '../../../../src/providers/vendors/replicate/replicateInputs.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { replicateUnderTest, startReplicate } from '../../../support/vendors/replicate.ts'
import { anInput, familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const requests: string[] = []
const fake = await startReplicate((request) => requests.push(`${request.method} ${request.url}`))
afterAll(fake.close)
beforeEach(() => requests.splice(0))
const families = await familiesOf('replicate')
const provider = replicate.make({ url: fake.url, key: replicateUnderTest.key, outputs: outputRules })
const { context } = aProviderContext()
const withInputs = (...inputs: ReturnType<typeof anInput>[]) =>
  provider.submit(jobFor(families.get('replicate-trellis'), { inputs }), context)

test('small inputs are inline in the request; larger ones are uploaded first and referred to by URL', async () => {
  const small = await sampleFile('png')
  const large = Buffer.alloc(inlineBytesMax + 1, 'a picture')

  await withInputs(anInput(small), anInput(large, { mimeType: 'image/jpeg' }))

  expect(requests).toEqual(['POST /files', 'POST /predictions'])
  expect(fake.uploaded).toEqual([large])
  expect(fake.accepted.at(-1)?.body).toMatchObject({
    input: { images: [`data:image/png;base64,${small.toString('base64')}`, `${fake.url}/files/file1`] },
  })
})

test('an input too large for an upload fails with the limit, and nothing is sent', async () => {
  const submitted = await withInputs(anInput(Buffer.alloc(1), { sizeBytes: uploadBytesMax + 1 }))
  const details = { maxBytes: uploadBytesMax, actualBytes: uploadBytesMax + 1 }
  expect(submitted).toEqual({ kind: 'failed', failure: { code: 'file_size', reason: 'file_too_large', details } })
  expect(requests).toEqual([])
})

test('a refused upload ends the work; a failed upload certainly costs nothing', async () => {
  const large = anInput(Buffer.alloc(inlineBytesMax + 1))
  const stranger = replicate.make({ url: fake.url, key: 'wrong', outputs: outputRules })
  const spec = jobFor(families.get('replicate-trellis'), { inputs: [large] })
  expect(await stranger.submit(spec, context)).toMatchObject({ kind: 'failed', failure: { code: 'authentication' } })

  const cut = { ...large, sizeBytes: large.sizeBytes + 10 }
  await expect(withInputs(cut)).rejects.toBeInstanceOf(NotSent)
  expect(requests.some((request) => request.endsWith('/predictions'))).toBe(false)
})
