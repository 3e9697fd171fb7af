import { expect, test } from 'vitest'
import { type Draft, draft, problemsOf, variantDraft, withFirst, withMore } from './drafts.ts'

const prompt = { required: false, maxLength: 100 }
const image = { min: 1, max: 1, field: 'imageIds' as const, mimeTypes: ['image/png' as const] }
const video = { min: 1, max: 1, field: 'videoId' as const, mimeTypes: ['video/mp4' as const] }

const axis = { name: 'version', label: 'Version', values: ['one', 'two'], default: 'one' }

const invalid: [name: string, file: Draft, line: string][] = [
  ['an axis named twice', draft({ axes: [axis, axis] }), 'axes: names the axis version twice'],
  ['a value given twice', draft({ axes: [{ ...axis, values: ['one', 'two', 'one'] }] }), 'axes[0].values: has one twice'],
  ['a default outside the values', draft({ axes: [{ ...axis, default: 'six' }] }), 'axes[0].default: is not among the values one, two'],
  [
    'a value that no variant has',
    draft({ axes: [{ ...axis, values: ['one', 'two', 'ten'] }] }),
    'axes[0].values: has ten, which no variant uses',
  ],
  [
    'defaults that no variant has together',
    draft({ variants: draft().variants.slice(1, 2) }),
    'axes: have defaults that no single variant uses',
  ],
  ['a variant that lacks an axis', withFirst({ axes: {} }), 'variants[0].axes: has no value for the axis version'],
  ['a variant with a foreign value', withFirst({ axes: { version: 'six' } }), 'variants[0].axes.version: is not among the values one, two'],
  [
    'a variant with a foreign axis',
    withFirst({ axes: { version: 'one', tier: 'x' } }),
    'variants[0].axes.tier: is not an axis of the family',
  ],
  ['a task named twice', withFirst({ tasks: ['text-to-image', 'text-to-image'] }), 'variants[0].tasks: has text-to-image twice'],
  [
    'a task with another output',
    withFirst({ tasks: ['text-to-video'] }),
    'variants[0].tasks: has text-to-video, whose output is video and not image',
  ],
  [
    'a task without its input',
    withFirst({ tasks: ['text-to-image', 'inpaint'] }),
    'variants[0].tasks: has inpaint, which needs images, but the variant takes none',
  ],
  [
    'a task without its prompt',
    withFirst({ inputs: { images: image } }),
    'variants[0].tasks: has text-to-image, which needs a prompt, but the variant takes none',
  ],
  [
    'requests without a task',
    withFirst({ tasks: ['inpaint'], inputs: { prompt: { required: true, maxLength: 100 }, images: { ...image, min: 0 } } }),
    'variants[0].tasks: has no task for a request with only the required inputs',
  ],
  [
    'a minimum count above the maximum',
    withFirst({ inputs: { prompt, images: { ...image, min: 3 } } }),
    'variants[0].inputs.images.min: is above max',
  ],
  [
    'two videos in a field for one',
    withFirst({ inputs: { prompt, videos: { ...video, max: 2 } } }),
    'variants[0].inputs.videos.max: is above 1, but videoId takes one video',
  ],
  [
    'a type listed twice',
    withFirst({ inputs: { prompt, images: { ...image, mimeTypes: ['image/png', 'image/png'] } } }),
    'variants[0].inputs.images.mimeTypes: has image/png twice',
  ],
  [
    'bounds that exclude every value',
    withFirst({ inputs: { prompt, images: { ...image, minWidth: 9, maxWidth: 8 } } }),
    'variants[0].inputs.images.minWidth: is above its maximum',
  ],
  [
    'more media than a request holds',
    withFirst({ inputs: { prompt, images: { ...image, min: 20, max: 20 }, videos: video } }),
    'variants[0].inputs: require more than 20 media, the limit of a request',
  ],
  [
    'a variant that accepts an empty request',
    withFirst({ inputs: { prompt } }),
    'variants[0].inputs.prompt: must be required when no media are required, so that an empty request is refused',
  ],
  [
    'a typical time above the slow one',
    withFirst({ expectedRunSeconds: { typical: 3, slow: 2 } }),
    'variants[0].expectedRunSeconds: has a typical time above the slow one',
  ],
  ['two variants that accept the same request', withMore({}), 'variants[3]: accepts the same requests as kite.text.one on the same axes'],
  [
    'overlapping counts',
    withMore({ tasks: ['image-to-image'], inputs: { prompt, images: { ...image, min: 2, max: 4 } } }),
    'variants[3]: accepts the same requests as kite.images.one on the same axes',
  ],
  [
    'an optional input of only one variant',
    withMore({ inputs: { prompt: { ...prompt, required: true }, images: { ...image, min: 0 } } }),
    'variants[3]: accepts the same requests as kite.text.one on the same axes',
  ],
]

test.each(invalid)('%s is an error with its place', async (_name, file, line) => {
  const problems = await problemsOf({ 'a.json': file })

  expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toContain(line)
})

const valid: [name: string, file: Draft][] = [
  [
    'one prompt required and the other not taken',
    draft({
      variants: [
        variantDraft('a', { tasks: ['image-to-image'], inputs: { prompt: { required: true, maxLength: 100 }, images: image } }),
        variantDraft('b', { tasks: ['upscale-image'], inputs: { images: image } }),
        variantDraft('c', { axes: { version: 'two' } }),
      ],
    }),
  ],
  [
    'the field of a video',
    draft({
      outputType: 'video',
      variants: [
        variantDraft('a', { tasks: ['video-to-video'], inputs: { prompt, videos: video } }),
        variantDraft('b', { tasks: ['upscale-video'], inputs: { prompt, videos: { ...video, field: 'videoIds', max: 3 } } }),
        variantDraft('c', { axes: { version: 'two' }, tasks: ['text-to-video'] }),
      ],
    }),
  ],
  ['disjoint counts', withMore({ tasks: ['image-to-image'], inputs: { prompt, images: { ...image, min: 3, max: 4 } } })],
]

test.each(valid)('variants are valid when they differ by %s', async (_name, file) => {
  expect(await problemsOf({ 'a.json': file })).toEqual([])
})
