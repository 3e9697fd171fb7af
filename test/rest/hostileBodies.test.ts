import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const held = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
const { creditsAvailable } = (await app.ask('GET /account', { key })).body

const good = '{"familyId":"sandbox-image","prompt":"a lighthouse"}'
const nested = (depth: number) =>
  `{"familyId":"sandbox-image","prompt":"x","parameters":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}}`
const brackets = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

type Sent = { body: string | Buffer; headers?: Record<string, string> }
const faults: Record<string, Sent & { status: number; code: string }> = {
  'no bytes': { body: '', status: 400, code: 'invalid_request' },
  'white space': { body: ' \n\t ', status: 400, code: 'invalid_request' },
  null: { body: 'null', status: 400, code: 'invalid_request' },
  'a list': { body: '[{}]', status: 400, code: 'invalid_request' },
  'a number': { body: '1', status: 400, code: 'invalid_request' },
  'a text': { body: '"{}"', status: 400, code: 'invalid_request' },
  'half an object': { body: good.slice(0, -1), status: 400, code: 'invalid_request' },
  'two objects': { body: good + good, status: 400, code: 'invalid_request' },
  'a trailing comma': { body: '{"familyId":"sandbox-image",}', status: 400, code: 'invalid_request' },
  'a comment': { body: `/* */${good}`, status: 400, code: 'invalid_request' },
  'single quotes': { body: "{'familyId':'sandbox-image'}", status: 400, code: 'invalid_request' },
  'a form': { body: 'familyId=sandbox-image', status: 400, code: 'invalid_request' },
  XML: {
    body: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    status: 400,
    code: 'invalid_request',
  },
  'a byte order mark': { body: `\ufeff${good}`, status: 400, code: 'invalid_request' },
  'UTF-16': { body: Buffer.from(good, 'utf16le'), status: 400, code: 'invalid_request' },
  'bytes that are no UTF-8': {
    body: Buffer.concat([Buffer.from('{"familyId":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]),
    status: 400,
    code: 'invalid_request',
  },
  'an overlong form': {
    body: Buffer.concat([Buffer.from('{"familyId":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]),
    status: 400,
    code: 'invalid_request',
  },
  'a surrogate in UTF-8': {
    body: Buffer.concat([Buffer.from('{"familyId":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    status: 400,
    code: 'invalid_request',
  },
  'a bare NUL': { body: '{"familyId":"a\0b"}', status: 400, code: 'invalid_request' },
  'nesting of 33': { body: nested(33), status: 400, code: 'invalid_request' },
  'nesting of 5,000': { body: nested(5000), status: 400, code: 'invalid_request' },
  '100,000 brackets': { body: brackets(100_000), status: 400, code: 'invalid_request' },
  '100,000 brackets that never close': { body: `{"a":${'['.repeat(100_000)}`, status: 400, code: 'invalid_request' },
  'a number of 100,000 digits': {
    body: `{"familyId":"sandbox-image","prompt":"x","maxCredits":${'9'.repeat(100_000)}}`,
    status: 400,
    code: 'invalid_request',
  },
  '262,145 bytes': { body: good.padEnd(262_145), status: 413, code: 'payload_too_large' },
  'two megabytes': { body: good.padEnd(2_000_000), status: 413, code: 'payload_too_large' },
  'a compressed body': { body: gzipSync(good), headers: { 'content-encoding': 'gzip' }, status: 415, code: 'unsupported_content_type' },
  'a body that claims to be compressed': {
    body: good,
    headers: { 'content-encoding': 'br' },
    status: 415,
    code: 'unsupported_content_type',
  },
  'two encodings': { body: good, headers: { 'content-encoding': 'identity, gzip' }, status: 415, code: 'unsupported_content_type' },
  'another charset': {
    body: good,
    headers: { 'content-type': 'application/json; charset=iso-8859-1' },
    status: 415,
    code: 'unsupported_content_type',
  },
  'plain text': { body: good, headers: { 'content-type': 'text/plain' }, status: 415, code: 'unsupported_content_type' },
  'a relative of JSON': {
    body: good,
    headers: { 'content-type': 'application/problem+json' },
    status: 415,
    code: 'unsupported_content_type',
  },
  'a content type that is none': { body: good, headers: { 'content-type': ';;=' }, status: 415, code: 'unsupported_content_type' },
  'an empty content type': { body: good, headers: { 'content-type': '' }, status: 415, code: 'unsupported_content_type' },
}

const endpoints = ['POST /generations/estimate', 'POST /generations', `POST /generations/${held.body.generationId}/cancel`]

describe.each(endpoints)('%s', (what) => {
  const mayBeEmpty = what.endsWith('/cancel')

  test.each(Object.entries(faults).filter(([name]) => !(mayBeEmpty && name === 'no bytes')))(
    'refuses %s',
    async (_name, { body, headers = {}, status, code }) => {
      const answer = await app.ask(what, { key, body, headers })
      expect(answer).toMatchObject({ status, body: { error: { code, retryable: false, message: expect.any(String) } } })
      expect(answer.headers['x-request-id']).toMatch(/^req_/)
      expect(answer.text.length).toBeLessThan(2000)
      expect(answer.text).not.toMatch(/node_modules|\.ts:|\.js:|SyntaxError|Unexpected|position|select |\/work|\/home/)
      expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(creditsAvailable)
    },
  )
})

const fine: Record<string, Sent> = {
  'a charset in other letters': { body: good, headers: { 'content-type': 'Application/JSON; Charset="UTF-8"' } },
  'other parameters of the type': { body: good, headers: { 'content-type': 'application/json; profile=x; charset=utf8' } },
  'an identity encoding': { body: good, headers: { 'content-encoding': 'Identity' } },
  'a field that stands twice, the last of which counts': { body: '{"familyId":"nothing","familyId":"sandbox-image","prompt":"x"}' },
  '262,144 bytes': { body: good.padEnd(262_144) },
  'characters of every plane': { body: JSON.stringify({ familyId: 'sandbox-image', prompt: '\u{10FFFF}\u2028\u200E\u0001\u007F\uFFFF' }) },
}

test.each(Object.entries(fine))('an estimate takes %s', async (_name, { body, headers = {} }) => {
  expect((await app.ask('POST /generations/estimate', { key, body, headers })).status).toBe(200)
})

test('nesting of 32 is parsed, and the parameters are refused by their schema', async () => {
  expect(await app.ask('POST /generations/estimate', { key, body: nested(32) })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_parameters' } },
  })
})

test('no client error is logged as a server error', () => {
  expect(app.logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})
