import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failureNames } from '../../../src/contract/failures/failures.ts'
import { media, mediaFields } from '../../../src/contract/shapes/media.ts'
import { tasks } from '../../../src/contract/shapes/tasks.ts'
import { checkParameters } from '../../../src/domain/catalog/checkParameters.ts'
import type { Family, Variant } from '../../../src/domain/catalog/family.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { modelLimits } from '../../../src/providers/sandbox/modelLimits.ts'
import { catalogOf } from './drafts.ts'

const root = join(import.meta.dirname, '../../..')
const { families } = await loadCatalog(join(root, 'catalog', 'sandbox'))
const variants = [...families.values()].flatMap((family) => family.variants.map((variant) => [variant.modelId, family, variant] as const))

/** One line per variant: task, axes, inputs, price. */
function linesOf(family: Family): string[] {
  return family.variants.map(({ tasks, axes, inputs, prices }) => {
    const media = [inputs.images, inputs.videos, inputs.audios, inputs.models3d].filter(({ max }) => max > 0)
    const taken = media.map(({ field, min, max }) => `${min}..${max} ${field}`).join()
    return [tasks.join(), ...Object.values(axes), taken || 'prompt', ...prices.map(({ unit, credits }) => `${credits} ${unit}`)].join(' | ')
  })
}

const contract: Record<string, { axes: Record<string, string[]>; lines: string[] }> = {
  'sandbox-image': {
    axes: { version: ['draft', 'standard', 'pro'] },
    lines: [
      'text-to-image | draft | prompt | 1 generation',
      'text-to-image | standard | prompt | 2 generation',
      'text-to-image | pro | prompt | 8 generation',
      'image-to-image | draft | 1..4 imageIds | 1 generation',
      'image-to-image | standard | 1..4 imageIds | 2 generation',
    ],
  },
  'sandbox-video': {
    axes: { mode: ['turbo', 'quality'] },
    lines: [
      'text-to-video | turbo | prompt | 2 output_second',
      'text-to-video | quality | prompt | 5 output_second',
      'image-to-video | turbo | 1..1 imageIds | 2 output_second',
      'image-to-video | quality | 1..1 imageIds | 5 output_second',
      'video-to-video | turbo | 1..1 videoId | 1 input_second',
      'video-to-video | quality | 1..1 videoId | 3 input_second',
    ],
  },
  'sandbox-audio': {
    axes: { tier: ['basic', 'studio'] },
    lines: ['text-to-speech | basic | prompt | 0.5 thousand_characters', 'text-to-speech | studio | prompt | 2 thousand_characters'],
  },
  'sandbox-3d': {
    axes: { format: ['glb', 'obj'] },
    lines: [
      'text-to-3d | glb | prompt | 3 generation',
      'text-to-3d | obj | prompt | 3 generation',
      'image-to-3d | glb | 1..3 imageIds | 3 generation',
      'image-to-3d | obj | 1..3 imageIds | 3 generation',
    ],
  },
  'sandbox-edit': {
    axes: { tool: ['inpaint', 'upscale', 'cutout'] },
    lines: [
      'inpaint | inpaint | 2..2 imageIds | 2 generation',
      'upscale-image | upscale | 1..1 imageIds | 1 generation',
      'remove-background | cutout | 1..1 imageIds | 1 generation',
    ],
  },
  'sandbox-sound': {
    axes: { style: ['effect', 'music'] },
    lines: [
      'text-to-audio | effect | prompt | 0.1 output_second',
      'audio-to-audio | effect | 1..1 audioIds | 0.1 input_second',
      'text-to-music | music | prompt | 0.2 output_second',
    ],
  },
  'sandbox-texture': { axes: {}, lines: ['retexture-3d | 0..1 imageIds,1..1 model3dIds | 2 generation'] },
  'sandbox-clip': {
    axes: {},
    lines: ['upscale-video | 1..1 videoId | 2 input_second', 'lip-sync | 1..1 videoIds,1..1 audioIds | 1 input_second'],
  },
  'sandbox-locked': { axes: {}, lines: ['text-to-image | prompt | 1 generation'] },
  'sandbox-offline': { axes: {}, lines: ['text-to-image | prompt | 1 generation'] },
}

test('the sandbox has exactly the families of the contract', () => {
  expect([...families.keys()]).toEqual(Object.keys(contract).toSorted())
})

test.each(Object.entries(contract))(
  '%s has the axes, tasks, inputs and prices of the contract, the default first',
  (id, { axes, lines }) => {
    const family = families.get(id)

    expect(family && linesOf(family)).toEqual(lines)
    expect(Object.fromEntries(family?.axes.map(({ name, values }) => [name, values]) ?? [])).toEqual(axes)
    expect(family?.axes.every((axis) => axis.default === axis.values[0])).toBe(true)
  },
)

test('every task and every field of media has a family', () => {
  expect(new Set(variants.flatMap(([, , variant]) => variant.tasks))).toEqual(new Set(tasks))
  const fields = variants.flatMap(([, , { inputs }]) => media.flatMap((medium) => (inputs[medium].max > 0 ? [inputs[medium].field] : [])))
  expect(new Set(fields)).toEqual(new Set(mediaFields))
})

test('only the locked family needs a subscription, and only the offline one is unavailable', () => {
  const all = [...families.values()]

  expect(all.filter(({ requiresSubscription }) => requiresSubscription).map(({ id }) => id)).toEqual(['sandbox-locked'])
  expect(all.filter(({ available }) => !available).map(({ id }) => id)).toEqual(['sandbox-offline'])
})

test('creditsFrom is the cheapest price of each family', () => {
  expect(Object.fromEntries([...families.values()].map(({ id, creditsFrom }) => [id, creditsFrom]))).toEqual({
    'sandbox-image': 100,
    'sandbox-video': 100,
    'sandbox-audio': 50,
    'sandbox-3d': 300,
    'sandbox-edit': 100,
    'sandbox-sound': 10,
    'sandbox-texture': 200,
    'sandbox-clip': 100,
    'sandbox-locked': 100,
    'sandbox-offline': 100,
  })
})

test.each(variants)('%s can simulate a success and every failure of the table, and a run of up to two minutes', (_id, family, variant) => {
  expect(family.parameters.properties['outcome']?.['enum']).toEqual(['success', ...failureNames()])
  expect(checkParameters(family, variant, {})).toMatchObject({ outcome: 'success', runSeconds: 0 })
  expect(checkParameters(family, variant, { runSeconds: 120, seed: 7 })).toMatchObject({ runSeconds: 120, seed: 7 })
  expect(() => checkParameters(family, variant, { runSeconds: 120.5 })).toThrow('at most 120')
  expect(variant.deadlineSeconds).toBeGreaterThan(120)
})

test('parameters have the defaults and bounds of the contract', () => {
  const image = families.get('sandbox-image') as Family
  const video = families.get('sandbox-video') as Family
  const text = image.variants[0] as Variant

  expect(checkParameters(image, text, {})).toMatchObject({ width: 512, height: 512, outputFormat: 'png' })
  expect(checkParameters(image, text, { width: 64, height: 2048, outputFormat: 'webp' })).toMatchObject({
    width: 64,
    height: 2048,
    outputFormat: 'webp',
  })
  expect(() => checkParameters(image, text, { width: 63 })).toThrow('at least 64')
  expect(() => checkParameters(image, text, { height: 2049 })).toThrow('at most 2048')
  expect(() => checkParameters(image, text, { outputFormat: 'gif' })).toThrow('Takes one of')
  expect(checkParameters(video, video.variants[0] as Variant, {})).toMatchObject({ durationSeconds: 2 })
  expect(() => checkParameters(video, video.variants[0] as Variant, { durationSeconds: 11 })).toThrow('at most 10')
  expect(() => checkParameters(video, video.variants[4] as Variant, { durationSeconds: 2 })).toThrow('does not take')
})

test.each(variants)('%s publishes the actual limits of its model', (_id, family, { inputs }) => {
  const real = modelLimits({ outputType: family.outputType, limits: inputs })
  const bounds = { images: { ...real.image, ...real.media.imageIds }, videos: real.media.videoIds }
  const told = { images: ['maxBytes', 'minWidth', 'maxWidth', 'minHeight', 'maxHeight'], videos: ['maxBytes'] } as const

  expect(inputs.prompt.maxLength).toBe(real.promptCharactersMax)
  for (const medium of ['images', 'videos'] as const) {
    if (inputs[medium].max === 0) continue
    const declared = told[medium].map((bound) => [bound, inputs[medium][bound]])
    expect(declared).toEqual(told[medium].map((bound) => [bound, (bounds[medium] as Record<string, unknown>)[bound]]))
    expect(inputs[medium].mimeTypes.length).toBeGreaterThan(0)
  }
})

test('the example of the catalog guide is a valid family', async () => {
  const guide = await readFile(join(root, 'docs', 'catalog.md'), 'utf8')
  const example = /```json\n(.*?)```/s.exec(guide)?.[1] ?? ''

  const family = (await catalogOf({ 'example.json': example })).families.get('paper-lantern')

  expect(family?.variants).toHaveLength(3)
})
