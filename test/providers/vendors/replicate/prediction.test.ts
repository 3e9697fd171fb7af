import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/json.ts'
import { pollResultOf, predictionOf } from '../../../../src/providers/vendors/replicate/prediction.ts'
import { replicateSettings } from '../../../../src/providers/vendors/replicate/replicateSettings.ts'
import { familiesOf, jobFor } from '../../../support/vendors/vendorJobs.ts'

const spec = jobFor((await familiesOf('replicate')).get('replicate-flux-1.1-pro'))
const settings = replicateSettings.parse(spec.settings)
function resultOf(prediction: { [key: string]: Json }, changes: Partial<typeof settings> = {}) {
  const read = predictionOf({ id: 'p1', ...prediction })
  return read && pollResultOf(read, { spec, settings: { ...settings, ...changes } })
}

test('work aborted before it began is at capacity; a removed result is expired', () => {
  expect(resultOf({ status: 'aborted' })).toMatchObject({ failure: { code: 'model_unavailable', reason: 'model_at_capacity' } })
  expect(resultOf({ status: 'succeeded', output: null, data_removed: true })).toMatchObject({ failure: { reason: 'result_expired' } })
  expect(resultOf({ status: 'pondering' })).toBeUndefined()
})

test.each([
  ['one address', 'https://cdn.example.com/a.png', ['https://cdn.example.com/a.png']],
  [
    'a list',
    ['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png'],
    ['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png'],
  ],
  ['an object', { image: 'https://cdn.example.com/a.png', note: 'done', mask: null }, ['https://cdn.example.com/a.png']],
])('an output in %s is found', (_, output, urls) => {
  expect(resultOf({ status: 'succeeded', output })).toMatchObject({ outputs: urls.map((url) => ({ data: { url } })) })
})

test('only the places in the settings are outputs of an object', () => {
  const output = { preview: 'https://cdn.example.com/a.png', model_file: 'https://cdn.example.com/a.glb' }
  expect(resultOf({ status: 'succeeded', output }, { output: 'model_file' })).toMatchObject({
    outputs: [{ data: { url: output.model_file } }],
  })
})

test.each([undefined, null, 'ok', [], {}, { id: '' }, { id: 'p' }, { id: 7, status: 'starting' }])('%j is not a prediction', (body) => {
  expect(predictionOf(body)).toBeUndefined()
})

test('the last progress bar in the log is the progress', () => {
  const logs = 'loading\r  0%|          | 0/28\r 46%|████▋     | 13/28 [00:02<00:02]\r 999%|'
  expect(predictionOf({ id: 'p', status: 'processing', logs })?.progress).toBeUndefined()
  expect(predictionOf({ id: 'p', status: 'processing', logs: logs.replace(' 999%|', '') })?.progress).toBe(0.46)
  expect(predictionOf({ id: 'p', status: 'processing', logs: 'no bar' })?.progress).toBeUndefined()
})
