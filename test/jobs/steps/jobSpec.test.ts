import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { openInputLink } from '../../../src/domain/generations/links/inputLink.ts'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { jobSpecOf } from '../../../src/jobs/steps/jobSpec.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { fileForm } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app

test('a job spec has the deadline, and the bytes of each input, also by a link', async () => {
  const { value: key } = await aTeamWithKey(services)
  const contents = [await sampleFile('png'), await sampleFile('jpeg')]
  const imageIds: string[] = []
  for (const content of contents) imageIds.push((await app.ask('POST /files', { key, ...fileForm(content) })).body.fileId)
  const { body } = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a pier', imageIds } })
  const context = contextFor(services, { kind: 'system' })
  const claim = await claimGeneration(context, body.generationId, { task: 'submitGeneration', providerId: 'sandbox', deadlineSeconds: 300 })
  const variants = services.catalog.families.get('sandbox-image')?.variants
  const variant = variants?.find(({ modelId }) => modelId === claim?.generation.modelId)
  if (!claim || !variant) throw new Error('the generation was not claimed')

  const spec = await jobSpecOf(context, claim, variant)

  expect(spec.deadlineAt).toEqual(new Date(clock.now().getTime() + 300_000))
  for (const [index, content] of contents.entries()) {
    const input = spec.inputs[index]
    if (!input) throw new Error('an input is missing')
    const token = input.link().replace(/^.*\/r\//, '')
    const linked = await openInputLink(services, token)
    expect(await buffer(await input.open())).toEqual(content)
    expect(await buffer(await services.storage.open(linked?.storageKey ?? ''))).toEqual(content)
  }
})
