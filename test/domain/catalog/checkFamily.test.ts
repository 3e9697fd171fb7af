import { expect, test } from 'vitest'
import { type Draft, draft, problemsOf, variantDraft, withFirst, withMore } from './drafts.ts'

const prompt = { required: false, maxLength: 100 }
const image = { min: 1, max: 1, field: 'imageIds' as const, mimeTypes: ['image/png' as const] }
const video = { min: 1, max: 1, field: 'videoId' as const, mimeTypes: ['video/mp4' as const] }

const axis = { name: 'version', label: 'Version', values: ['one', 'two'], default: 'one' }

const faults: [name: string, file: Draft, line: string][] = [
  ['an axis named twice', draft({ axes: [axis, axis] }), 'axes: names the axis version twice'],
  ['a value given twice', draft({ axes: [{ ...axis, values: ['one', 'two', 'one'] }] }), 'axes[0].values: holds one twice'],
  ['a default outside the values', draft({ axes: [{ ...axis, default: 'six' }] }), 'axes[0].default: is not among the values one, two'],
  [
    'a value that no variant has',
    draft({ axes: [{ ...axis, values: ['one', 'two', 'ten'] }] }),
    'axes[0].values: holds ten, which no variant has',
  ],
  [
    'defaults that no variant has together',
    draft({ variants: draft().variants.slice(1, 2) }),
    'axes: have defaults that no variant has together',
  ],
  ['a variant that lacks an axis', withFirst({ axes: {} }), 'variants[0].axes: lacks a value on the axis version'],
  ['a variant with a foreign value', withFirst({ axes: { version: 'six' } }), 'variants[0].axes.version: is not among the values one, two'],
  ['a variant with a foreign axis', withFirst({ axes: { version: 'one', tier: 'x' } }), 'variants[0].axes.tier: is no axis of the family'],
  ['a task named twice', withFirst({ tasks: ['text-to-image', 'text-to-image'] }), 'variants[0].tasks: holds text-to-image twice'],
  [
    'a task of another output',
    withFirst({ tasks: ['text-to-video'] }),
    'variants[0].tasks: holds text-to-video, which makes video and not image',
  ],
  [
    'a task without its input',
    withFirst({ tasks: ['text-to-image', 'inpaint'] }),
    'variants[0].tasks: holds inpaint, which starts from images that the variant does not take',
  ],
  [
    'a task without its prompt',
    withFirst({ inputs: { images: image } }),
    'variants[0].tasks: holds text-to-image, which starts from a prompt that the variant does not take',
  ],
  [
    'requests that would have no task',
    withFirst({ tasks: ['inpaint'], inputs: { prompt: { required: true, maxLength: 100 }, images: { ...image, min: 0 } } }),
    'variants[0].tasks: has no task for a request that gives no more than the variant needs',
  ],
  [
    'a least count above the greatest',
    withFirst({ inputs: { prompt, images: { ...image, min: 3 } } }),
    'variants[0].inputs.images.min: is above max',
  ],
  [
    'two videos in one field',
    withFirst({ inputs: { prompt, videos: { ...video, max: 2 } } }),
    'variants[0].inputs.videos.max: is above 1, and videoId carries one video',
  ],
  [
    'a type listed twice',
    withFirst({ inputs: { prompt, images: { ...image, mimeTypes: ['image/png', 'image/png'] } } }),
    'variants[0].inputs.images.mimeTypes: holds image/png twice',
  ],
  [
    'bounds that exclude everything',
    withFirst({ inputs: { prompt, images: { ...image, minWidth: 9, maxWidth: 8 } } }),
    'variants[0].inputs.images.minWidth: is above its maximum',
  ],
  [
    'more media than a request holds',
    withFirst({ inputs: { prompt, images: { ...image, min: 20, max: 20 }, videos: video } }),
    'variants[0].inputs: need more than the 20 media that a request may have',
  ],
  [
    'work that an empty request would start',
    withFirst({ inputs: { prompt } }),
    'variants[0].inputs.prompt: must be required where no media are, or an empty request would start work',
  ],
  [
    'a typical time above the slow one',
    withFirst({ expectedRunSeconds: { typical: 3, slow: 2 } }),
    'variants[0].expectedRunSeconds: has a typical time above the slow one',
  ],
  ['the same request twice', withMore({}), 'variants[3]: takes requests that kite.text.one takes on the same axes'],
  [
    'overlapping counts',
    withMore({ tasks: ['image-to-image'], inputs: { prompt, images: { ...image, min: 2, max: 4 } } }),
    'variants[3]: takes requests that kite.images.one takes on the same axes',
  ],
  [
    'an input that one takes and both may lack',
    withMore({ inputs: { prompt: { ...prompt, required: true }, images: { ...image, min: 0 } } }),
    'variants[3]: takes requests that kite.text.one takes on the same axes',
  ],
]

test.each(faults)('%s is a fault, told with its place', async (_name, file, line) => {
  const problems = await problemsOf({ 'a.json': file })

  expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toContain(line)
})

const sound: [name: string, file: Draft][] = [
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
  ['counts that do not meet', withMore({ tasks: ['image-to-image'], inputs: { prompt, images: { ...image, min: 3, max: 4 } } })],
]

test.each(sound)('variants that are told apart by %s stand side by side', async (_name, file) => {
  expect(await problemsOf({ 'a.json': file })).toEqual([])
})
