import { expect, test } from 'vitest'
import { resolveVariant } from '../../../src/domain/catalog/resolveVariant.ts'
import { detailsOf, sandboxFamily, shape } from '../../support/generations/variantRequests.ts'
import { draft, familyOf, variantDraft } from './drafts.ts'
import { refused } from './refused.ts'

const image = sandboxFamily('sandbox-image')
const video = sandboxFamily('sandbox-video')

test('a missing prompt is an invalid parameter of the resolved variant', () => {
  const byShape = refused(() => resolveVariant(image, shape({ hasPrompt: false })))
  const byName = refused(() => resolveVariant(video, shape({ hasPrompt: false, modelId: 'sandbox-video.text-to-video.quality' })))

  expect(byShape.code).toBe('invalid_parameters')
  expect(byShape.details).toMatchObject({
    modelId: 'sandbox-image.text-to-image.draft',
    issues: [{ in: 'body', path: ['prompt'], code: 'required' }],
  })
  expect(byName.details).toMatchObject({ modelId: 'sandbox-video.text-to-video.quality', issues: [{ path: ['prompt'], code: 'required' }] })
})

test('a prompt decides between variants with the same media, and is an excess input when none takes one', async () => {
  const images = { min: 1, max: 1, field: 'imageIds', mimeTypes: ['image/png'] } as const
  const edit = variantDraft('kite.edit', {
    axes: {},
    tasks: ['image-to-image'],
    inputs: { prompt: { required: true, maxLength: 100 }, images: { ...images, mimeTypes: ['image/png'] } },
  })
  const upscale = variantDraft('kite.upscale', {
    axes: {},
    tasks: ['upscale-image'],
    inputs: { images: { ...images, mimeTypes: ['image/png'] } },
  })
  const both = await familyOf(draft({ axes: [], variants: [edit, upscale] }))
  const { prompt: _, ...properties } = draft().parameters.properties
  const promptless = await familyOf(draft({ axes: [], parameters: { ...draft().parameters, properties }, variants: [upscale] }))

  expect(resolveVariant(both, shape({ media: { imageIds: 1 } })).modelId).toBe('kite.edit')
  expect(resolveVariant(both, shape({ hasPrompt: false, media: { imageIds: 1 } })).modelId).toBe('kite.upscale')
  const refusal = refused(() => resolveVariant(promptless, shape({ media: { imageIds: 1 } })))
  expect(refusal.code).toBe('variant_not_resolved')
  expect(detailsOf(refusal)).toEqual({ available: ['kite.upscale'], missingInputs: [], excessInputs: ['prompt'], maxMediaInputs: 20 })
})
