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

test('a sound workflow has no problems, nodes within groups included', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ inputs: { imageIds: '57:40.inputs.image' } }, { min: 1, max: 1 })).toEqual([])
})

test.each([
  ['a node that is not there', { prompt: '7.inputs.text' }, 'prompt: marks 7.inputs.text, which is no input of the workflow'],
  ['an input that the node lacks', { prompt: '6.inputs.words' }, 'prompt: marks 6.inputs.words, which is no input of the workflow'],
  ['something else of a node', { prompt: '6.class_type' }, 'prompt: marks 6.class_type, which is no input of the workflow'],
  ['a seed of no node', { seeds: ['9.inputs.seed'] }, 'seeds: marks 9.inputs.seed, which is no input of the workflow'],
  ['a result of no node', { outputs: ['9'] }, 'outputs: names 9, which is no node of the workflow'],
  ['a setting that nobody knows', { sampler: 'euler' }, ': Unrecognized key: "sampler"'],
])('%s is found at the start', (_, settings: Record<string, Json>, problem) => {
  expect(problemsOf(settings).map(({ path, reason }) => `${path}: ${reason}`)).toContain(problem)
})
