import { expect, test } from 'vitest'
import { falHandle } from '../../../../src/providers/vendors/fal/falHandle.ts'

const url = 'https://gateway.example.com/fal'
const model = 'fal-ai/flux/dev'
const built = { status: '/fal-ai/flux/requests/r1/status', response: '/fal-ai/flux/requests/r1', cancel: '/fal-ai/flux/requests/r1/cancel' }
const findOutputUrls = (base: string) => ({ status_url: `${base}/s`, response_url: `${base}/r`, cancel_url: `${base}/c?now=1` })
const workOf = (answer: Record<string, string>) => falHandle({ request_id: 'r1', ...answer }, { url, model })?.data

test('URLs below the base URL of fal are used, as paths', () => {
  expect(workOf(findOutputUrls(`${url}/apps/flux`))).toMatchObject({
    status: '/apps/flux/s',
    response: '/apps/flux/r',
    cancel: '/apps/flux/c?now=1',
  })
})

test.each([
  'https://evil.example.net/fal',
  'http://gateway.example.com/fal',
  'https://gateway.example.com/other',
  'https://gateway.example.com/falsch',
])('the key is never sent to %s', (base) => {
  expect(workOf(findOutputUrls(base))).toMatchObject(built)
})

test('a URL cannot leave the base URL with dot segments', () => {
  expect(workOf({ status_url: `${url}/../admin`, response_url: `${url}/%2e%2e/admin`, cancel_url: 'not an address' })).toMatchObject(built)
})

test('without URLs the paths are built from owner and app, with one more part for workflows', () => {
  expect(workOf({})).toMatchObject(built)
  const workflow = falHandle({ request_id: 'r/1' }, { url, model: 'workflows/somebody/flow/deeper' })
  expect(workflow?.data).toMatchObject({ status: '/workflows/somebody/flow/requests/r%2F1/status' })
})

test.each([undefined, null, [], 'ok', {}, { request_id: '' }, { request_id: 7 }])('%j has no request id', (answer) => {
  expect(falHandle(answer, { url, model })).toBeUndefined()
})
