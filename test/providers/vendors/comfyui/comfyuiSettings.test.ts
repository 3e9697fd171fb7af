import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/json.ts'
import type { DeclaredModel } from '../../../../src/providers/connector/vendor.ts'
import { checkComfyui } from '../../../../src/providers/vendors/comfyui/comfyuiSettings.ts'

const none = { min: 0, max: 0 }

function problemsOf(settings: Record<string, Json>, images = none) {
  const workflow = {
    '6': { class_type: 'CLIPTextEncode', inputs: { text: '' } },
    '57:40': { class_type: 'LoadImage', inputs: { image: '' } },
  }
  const model: DeclaredModel = {
    modelId: 'kite',
    outputType: 'image',
    tasks: ['text-to-image'],
    axes: {},
    parameterNames: [],
    inputs: { prompt: { required: true, maxLength: 100 }, images, videos: none, audios: none, models3d: none },
    provider: { settings: { workflow, prompt: '6.inputs.text', ...settings } },
  }
  return checkComfyui(model)
}

test('a valid workflow has no problems, also with nodes in groups', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ inputs: { imageIds: '57:40.inputs.image' } }, { min: 1, max: 1 })).toEqual([])
})

test.each([
  ['an unknown node', { prompt: '7.inputs.text' }, 'prompt: refers to 7.inputs.text, which is not an input of the workflow'],
  ['an unknown input', { prompt: '6.inputs.words' }, 'prompt: refers to 6.inputs.words, which is not an input of the workflow'],
  ['another field of a node', { prompt: '6.class_type' }, 'prompt: refers to 6.class_type, which is not an input of the workflow'],
  ['a seed of an unknown node', { seeds: ['9.inputs.seed'] }, 'seeds: refers to 9.inputs.seed, which is not an input of the workflow'],
  ['an output of an unknown node', { outputs: ['9'] }, 'outputs: names 9, which is not a node of the workflow'],
  ['an unknown setting', { sampler: 'euler' }, ': Unrecognized key: "sampler"'],
])('%s is an error at the start', (_, settings: Record<string, Json>, problem) => {
  expect(problemsOf(settings).map(({ path, reason }) => `${path}: ${reason}`)).toContain(problem)
})
