import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/json.ts'
import { checkGoogle } from '../../../../src/providers/vendors/google/googleSettings.ts'

const none = { min: 0, max: 0 }

function problemsOf(
  settings: Record<string, Json>,
  { outputType = 'image', images = none }: { outputType?: 'image' | 'video'; images?: typeof none } = {},
) {
  const problems = checkGoogle({
    modelId: 'kite',
    outputType,
    tasks: [],
    axes: {},
    parameterNames: ['size'],
    inputs: { prompt: { required: true, maxLength: 100 }, images, videos: none, audios: none, models3d: none },
    provider: {
      settings: { api: 'generateContent', model: 'gemini-3-pro-image', parameters: { size: 'generationConfig.size' }, ...settings },
    },
  })
  return problems.map(({ path, reason }) => `${path}: ${reason}`)
}

test('valid settings have no problems', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ api: 'interactions' }, { outputType: 'video', images: { min: 1, max: 2 } })).toEqual([])
})

test.each([
  ['another medium', problemsOf({ api: 'interactions' }), 'api: makes video and not image'],
  ['a parameter without a place', problemsOf({ parameters: {} }), 'parameters: must say where size goes'],
  [
    'a third frame',
    problemsOf({ api: 'interactions', frames: true }, { outputType: 'video', images: { min: 1, max: 3 } }),
    'frames: has room for 2 images',
  ],
  ['a model name with another path', problemsOf({ model: '../files' }), 'model: Takes the name of a model, such as gemini-3-pro-image'],
])('%s is an error at the start', (_, problems, problem) => {
  expect(problems).toContain(problem)
})
