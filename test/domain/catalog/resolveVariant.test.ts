import { expect, test } from 'vitest'
import type { Family } from '../../../src/domain/catalog/family.ts'
import { type RequestShape, resolveVariant } from '../../../src/domain/catalog/resolveVariant.ts'
import { taskOf } from '../../../src/domain/catalog/taskOf.ts'
import { detailsOf, sandboxFamily, shape } from '../../support/generations/variantRequests.ts'
import { draft, familyOf, variantDraft } from './drafts.ts'
import { refused } from './refused.ts'

const image = sandboxFamily('sandbox-image')
const video = sandboxFamily('sandbox-video')

const resolved: [request: string, family: Family, shape: RequestShape, modelId: string, task: string][] = [
  ['a prompt alone, on the default axis', image, shape(), 'sandbox-image.text-to-image.draft', 'text-to-image'],
  ['a prompt with an axis value', image, shape({ axes: { version: 'pro' } }), 'sandbox-image.text-to-image.pro', 'text-to-image'],
  ['four images', image, shape({ media: { imageIds: 4 } }), 'sandbox-image.image-to-image.draft', 'image-to-image'],
  [
    'images without a prompt',
    image,
    shape({ hasPrompt: false, media: { imageIds: 1 } }),
    'sandbox-image.image-to-image.draft',
    'image-to-image',
  ],
  ['a modelId', image, shape({ modelId: 'sandbox-image.text-to-image.standard' }), 'sandbox-image.text-to-image.standard', 'text-to-image'],
  ['an image for a video', video, shape({ media: { imageIds: 1 } }), 'sandbox-video.image-to-video.turbo', 'image-to-video'],
  [
    'a single video',
    video,
    shape({ axes: { mode: 'quality' }, media: { videoId: 1 } }),
    'sandbox-video.video-to-video.quality',
    'video-to-video',
  ],
  ['no axes at all', sandboxFamily('sandbox-locked'), shape({ axes: {} }), 'sandbox-locked.text-to-image', 'text-to-image'],
]

test.each(resolved)('%s resolves to the variant that accepts it', (_request, family, request, modelId, task) => {
  const variant = resolveVariant(family, request)

  expect(variant.modelId).toBe(modelId)
  expect(taskOf(variant, request.media)).toBe(task)
})

test('all unknown axis names and values are reported with the allowed ones', () => {
  const axes = JSON.parse('{ "version": "ultra", "tier": "x", "__proto__": "x", "constructor": "draft" }')

  const refusal = refused(() => resolveVariant(image, shape({ axes })))

  expect(refusal.code).toBe('invalid_parameters')
  expect(refusal.details).toMatchObject({
    modelId: null,
    issues: [
      { in: 'body', path: ['axes', 'version'], code: 'not_allowed', allowed: ['draft', 'standard', 'pro'] },
      { in: 'body', path: ['axes', 'tier'], code: 'unknown_field', allowed: ['version'] },
      { in: 'body', path: ['axes', '__proto__'], code: 'unknown_field', allowed: ['version'] },
      { in: 'body', path: ['axes', 'constructor'], code: 'unknown_field', allowed: ['version'] },
    ],
  })
})

test('an unknown axis is refused before the inputs are checked', () => {
  expect(refused(() => resolveVariant(image, shape({ axes: { tier: 'x' }, media: { audioIds: 21 } }))).code).toBe('invalid_parameters')
})

test('at most 100 unknown axes are reported', () => {
  const axes = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 'x']))

  expect(refused(() => resolveVariant(image, shape({ axes }))).details?.['issues']).toHaveLength(100)
})

test('an axis value without a variant for these inputs is refused with the available ones', () => {
  const refusal = refused(() => resolveVariant(image, shape({ axes: { version: 'pro' }, media: { imageIds: 1 } })))

  expect(refusal.code).toBe('variant_not_resolved')
  expect(refusal.details).toEqual({
    available: ['draft', 'standard'].map((version) => ({
      modelId: `sandbox-image.image-to-image.${version}`,
      task: 'image-to-image',
      axes: { version },
      inputs: image.variants[3]?.inputs,
    })),
    missingInputs: [],
    excessInputs: ['imageIds'],
    maxMediaInputs: 20,
  })
})

test('an omitted axis keeps its default even when only another value accepts the inputs', async () => {
  const dear = variantDraft('kite.images.two', {
    axes: { version: 'two' },
    tasks: ['image-to-image'],
    inputs: { prompt: { required: false, maxLength: 100 }, images: { min: 1, max: 1, field: 'imageIds', mimeTypes: ['image/png'] } },
  })
  const family = await familyOf(draft({ variants: [...draft().variants.slice(0, 2), dear] }))

  const refusal = refused(() => resolveVariant(family, shape({ media: { imageIds: 1 } })))

  expect(detailsOf(refusal)).toEqual({ available: ['kite.images.two'], missingInputs: [], excessInputs: ['imageIds'], maxMediaInputs: 20 })
  expect(resolveVariant(family, shape({ axes: { version: 'two' }, media: { imageIds: 1 } })).modelId).toBe('kite.images.two')
})

const all = (family: Family) => family.variants.map(({ modelId }) => modelId)
const refusedCases: [what: string, family: Family, shape: RequestShape, details: object][] = [
  [
    'more images than are taken',
    image,
    shape({ media: { imageIds: 5 } }),
    { available: all(image), missingInputs: [], excessInputs: ['imageIds'] },
  ],
  [
    'a medium that no variant takes',
    image,
    shape({ media: { audioIds: 1 } }),
    { available: all(image), missingInputs: [], excessInputs: ['audioIds'] },
  ],
  [
    'two media together',
    video,
    shape({ media: { imageIds: 1, videoId: 1 } }),
    { available: all(video), missingInputs: [], excessInputs: ['videoId'] },
  ],
  [
    'a single video through the list',
    video,
    shape({ hasPrompt: false, media: { videoIds: 1 } }),
    { available: all(video), missingInputs: ['videoId'], excessInputs: ['videoIds'] },
  ],
  [
    'a single video through the list, for a named variant',
    video,
    shape({ modelId: 'sandbox-video.video-to-video.turbo', media: { videoIds: 1 } }),
    { available: all(video), missingInputs: ['videoId'], excessInputs: ['videoIds'] },
  ],
  [
    'a named variant without its image',
    image,
    shape({ modelId: 'sandbox-image.image-to-image.draft' }),
    { available: all(image).slice(0, 3), missingInputs: ['imageIds'], excessInputs: [] },
  ],
  [
    'a modelId of another family',
    image,
    shape({ modelId: 'sandbox-locked.text-to-image' }),
    { available: all(image).slice(0, 3), missingInputs: [], excessInputs: [] },
  ],
  [
    'a modelId equal to an inherited name',
    image,
    shape({ modelId: '__proto__' }),
    { available: all(image).slice(0, 3), missingInputs: [], excessInputs: [] },
  ],
  [
    '21 media in one field',
    image,
    shape({ media: { imageIds: 21 } }),
    { available: all(image), missingInputs: [], excessInputs: ['imageIds'] },
  ],
]

test.each(refusedCases)('%s is refused with missing inputs, excess inputs and available variants', (_what, family, request, details) => {
  const refusal = refused(() => resolveVariant(family, request))

  expect(refusal.code).toBe('variant_not_resolved')
  expect(detailsOf(refusal)).toEqual({ ...details, maxMediaInputs: 20 })
})

test('more than 20 media are refused, even when a variant accepts them in two fields', async () => {
  const list = { min: 0, max: 20 }
  const wide = variantDraft('kite.wide', {
    tasks: ['text-to-image'],
    axes: {},
    inputs: {
      prompt: { required: true, maxLength: 100 },
      images: { ...list, field: 'imageIds', mimeTypes: ['image/png'] },
      audios: { ...list, field: 'audioIds', mimeTypes: ['audio/wav'] },
    },
  })
  const family = await familyOf(draft({ axes: [], variants: [wide] }))

  expect(resolveVariant(family, shape({ media: { imageIds: 15, audioIds: 5 } })).modelId).toBe('kite.wide')
  const refusal = refused(() => resolveVariant(family, shape({ media: { imageIds: 15, audioIds: 6 } })))
  expect(detailsOf(refusal)).toEqual({
    available: ['kite.wide'],
    missingInputs: [],
    excessInputs: ['imageIds', 'audioIds'],
    maxMediaInputs: 20,
  })
  expect(refusal.message).toBe('A request takes at most 20 media inputs.')
})
