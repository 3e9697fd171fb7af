import { afterAll, describe, expect, test } from 'vitest'
import { type Asked, testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

const long = 'x'.repeat(10_000)
const refused: [name: string, body: object, code: string, details: object][] = [
  ['an unknown family', { familyId: 'nothing' }, 'family_not_found', { familyId: 'nothing' }],
  ['a family called __proto__', { familyId: '__proto__' }, 'family_not_found', { familyId: '__proto__' }],
  ['a family of any length', { familyId: long }, 'family_not_found', { familyId: long }],
  [
    'an unknown axis',
    { ...work, axes: { size: 'big' } },
    'invalid_parameters',
    { issues: [{ path: ['axes', 'size'], code: 'unknown_field', allowed: ['version'] }] },
  ],
  [
    'an axis value that the family lacks',
    { ...work, axes: { version: 'ultra' } },
    'invalid_parameters',
    { issues: [{ path: ['axes', 'version'], code: 'not_allowed', allowed: ['draft', 'standard', 'pro'] }] },
  ],
  ['an unknown variant', { ...work, modelId: 'nothing' }, 'variant_not_resolved', { maxMediaInputs: 20 }],
  ['a variant of any length', { ...work, modelId: long }, 'variant_not_resolved', {}],
  ["another family's variant", { ...work, modelId: 'sandbox-video.text-to-video.turbo' }, 'variant_not_resolved', {}],
  ['21 media', { ...work, imageIds: Array(21).fill('file_x') }, 'variant_not_resolved', { maxMediaInputs: 20 }],
  ['21 media of several kinds', { ...work, imageIds: Array(11).fill('a'), audioIds: Array(10).fill('b') }, 'variant_not_resolved', {}],
  ['tens of thousands of media', { ...work, imageIds: Array(60_000).fill('a') }, 'variant_not_resolved', {}],
  [
    'more media than the variant takes',
    { ...work, imageIds: Array(5).fill('file_x') },
    'variant_not_resolved',
    { excessInputs: ['imageIds'] },
  ],
  [
    'media of a kind that the family does not take',
    { ...work, model3dIds: ['x'] },
    'variant_not_resolved',
    { excessInputs: ['model3dIds'] },
  ],
  [
    'no prompt',
    { familyId: 'sandbox-image' },
    'invalid_parameters',
    { issues: [{ path: ['prompt'], code: 'required' }], modelId: 'sandbox-image.text-to-image.draft' },
  ],
  ['an empty prompt', { ...work, prompt: '' }, 'invalid_parameters', { issues: [{ path: ['prompt'], code: 'required' }] }],
  [
    'an unknown parameter',
    { ...work, parameters: { depth: 1 } },
    'invalid_parameters',
    { issues: [{ path: ['parameters', 'depth'], code: 'unknown_field' }] },
  ],
  [
    'a parameter called __proto__',
    JSON.parse(`{"familyId":"sandbox-image","prompt":"x","parameters":{"__proto__":1}}`),
    'invalid_parameters',
    { issues: [{ path: ['parameters', '__proto__'] }] },
  ],
  [
    'a parameter of another type',
    { ...work, parameters: { width: '512' } },
    'invalid_parameters',
    { issues: [{ path: ['parameters', 'width'], code: 'wrong_type' }] },
  ],
  [
    'a parameter out of bounds',
    { ...work, parameters: { width: 2049, height: 63 } },
    'invalid_parameters',
    { issues: expect.arrayContaining([expect.objectContaining({ code: 'too_big' }), expect.objectContaining({ code: 'too_small' })]) },
  ],
  ['a parameter of null', { ...work, parameters: { seed: null } }, 'invalid_parameters', { issues: [{ code: 'wrong_type' }] }],
  [
    'media under parameters',
    { ...work, parameters: { imageIds: ['file_x'] } },
    'invalid_parameters',
    { issues: [{ path: ['parameters', 'imageIds'] }] },
  ],
  [
    'a prompt under parameters',
    { ...work, parameters: { prompt: 'x' } },
    'invalid_parameters',
    { issues: [{ path: ['parameters', 'prompt'] }] },
  ],
  ['an unknown input', { ...work, imageIds: ['file_x'] }, 'file_not_found', { ids: ['file_x'], field: 'imageIds' }],
  ['an input of any length', { ...work, imageIds: [long] }, 'file_not_found', { ids: [long], field: 'imageIds' }],
  [
    'an input with a NUL',
    { ...work, imageIds: ['file_\u0000'] },
    'invalid_request',
    { issues: [{ path: ['imageIds', 0], code: 'bad_format' }] },
  ],
]

const issues: [name: string, body: unknown, path: (string | number)[], code: string][] = [
  ['no familyId', { prompt: 'x' }, ['familyId'], 'required'],
  ['an empty familyId', { ...work, familyId: '' }, ['familyId'], 'too_small'],
  ['a familyId of null', { ...work, familyId: null }, ['familyId'], 'wrong_type'],
  ['an empty modelId', { ...work, modelId: '' }, ['modelId'], 'too_small'],
  ['modelId with axes', { ...work, modelId: 'x', axes: { version: 'pro' } }, ['axes'], 'conflict'],
  ['modelId with empty axes', { ...work, modelId: 'x', axes: {} }, ['axes'], 'conflict'],
  ['videoId with videoIds', { ...work, videoId: 'x', videoIds: [] }, ['videoIds'], 'conflict'],
  ['an unknown field', { ...work, seed: 1 }, ['seed'], 'unknown_field'],
  ['a field in other letter case', { ...work, Prompt: 'x' }, ['Prompt'], 'unknown_field'],
  [
    'a field called __proto__',
    JSON.parse('{"familyId":"sandbox-image","prompt":"x","__proto__":{"maxCredits":9}}'),
    ['__proto__'],
    'unknown_field',
  ],
  ['a field called constructor', { ...work, constructor: {} }, ['constructor'], 'unknown_field'],
  ['a prompt that is no text', { ...work, prompt: 1 }, ['prompt'], 'wrong_type'],
  ['a prompt of 20,001 characters', { ...work, prompt: 'a'.repeat(20_001) }, ['prompt'], 'too_long'],
  ['a prompt of 20,001 pairs', { ...work, prompt: '\u{1F30A}'.repeat(20_001) }, ['prompt'], 'too_long'],
  ['a prompt with a NUL', { ...work, prompt: 'a\u0000b' }, ['prompt'], 'bad_format'],
  ['a prompt with half a pair', '{"familyId":"sandbox-image","prompt":"\\ud83c"}', ['prompt'], 'bad_format'],
  ['axes that are a list', { ...work, axes: [] }, ['axes'], 'wrong_type'],
  ['axes of null', { ...work, axes: null }, ['axes'], 'wrong_type'],
  ['an axis value that is a number', { ...work, axes: { version: 1 } }, ['axes', 'version'], 'wrong_type'],
  ['parameters that are a list', { ...work, parameters: [] }, ['parameters'], 'wrong_type'],
  ['a parameter name with half a pair', '{"familyId":"sandbox-image","parameters":{"\\udc00":1}}', ['parameters'], 'bad_format'],
  ['imageIds that are a text', { ...work, imageIds: 'file_x' }, ['imageIds'], 'wrong_type'],
  ['an empty identifier', { ...work, imageIds: ['file_x', ''] }, ['imageIds', 1], 'too_small'],
  ['an identifier that is a number', { ...work, audioIds: [7] }, ['audioIds', 0], 'wrong_type'],
  ['a maxCredits below zero', { ...work, maxCredits: -0.01 }, ['maxCredits'], 'too_small'],
  ['a maxCredits beyond a billion', { ...work, maxCredits: 1_000_000_000.01 }, ['maxCredits'], 'too_big'],
  ['a maxCredits that is a text', { ...work, maxCredits: '5' }, ['maxCredits'], 'wrong_type'],
  ['a maxCredits of null', { ...work, maxCredits: null }, ['maxCredits'], 'wrong_type'],
  ['a maxCredits beyond all numbers', '{"familyId":"sandbox-image","prompt":"x","maxCredits":1e999}', ['maxCredits'], 'wrong_type'],
]

const before = (await app.ask('GET /account', { key })).body.creditsAvailable

describe.each(['POST /generations/estimate', 'POST /generations'])('%s', (what) => {
  const ask = (body: unknown, more: Asked = {}) => app.ask(what, { key, body, ...more })

  test.each(refused)('with %s is refused', async (_name, body, code, details) => {
    const answer = await ask(body)
    expect(answer.body.error).toMatchObject({ code, retryable: false, details })
  })

  test.each(issues)('with %s is an invalid request', async (_name, body, path, code) => {
    const answer = await ask(body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', retryable: false } } })
    expect(answer.body.error.details['issues']).toContainEqual(expect.objectContaining({ in: 'body', path, code }))
  })

  test('with a query that it does not know is an invalid request', async () => {
    expect(await app.ask(`${what}?limit=1`, { key, body: work })).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ in: 'query', path: ['limit'], code: 'unknown_field' }] } } },
    })
  })

  test('lists a hundred problems at most, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, 1]))
    for (const body of [
      { ...work, ...many },
      { ...work, axes: many },
      { ...work, imageIds: Array(60_000).fill(1) },
      { ...work, parameters: many },
    ]) {
      const answer = await ask(body)
      expect(answer.status).toBe(400)
      expect((answer.body.error.details['issues'] as unknown[]).length).toBeLessThanOrEqual(100)
      expect(answer.text.length).toBeLessThan(50_000)
    }
  })
})

test('a prompt of 20,000 surrogate pairs counts as 20,000 characters', async () => {
  expect((await app.ask('POST /generations/estimate', { key, body: { ...work, prompt: '\u{1F30A}'.repeat(20_000) } })).status).toBe(200)
})

test('refused requests move no credits and create no generation', async () => {
  expect((await app.ask('GET /generations', { key })).body.items).toEqual([])
  expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(before)
})
