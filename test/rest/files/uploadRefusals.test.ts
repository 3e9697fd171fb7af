import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { allowedMimeTypes } from '../../../src/media/mediaFormats.ts'
import { type Asked, testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { fileForm, form, requireNoTraces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const png = await sampleFile('png')
const base64 = png.toString('base64')

/** Whatever is refused leaves nothing behind. */
afterEach(() => requireNoTraces(app.services))

async function refusal(asked: Asked) {
  const { status, body } = await app.ask('POST /files', { key, ...asked })
  return { status, ...(body.error as { code: string; retryable: boolean; details: Record<string, unknown> }) }
}

async function issues(asked: Asked): Promise<string> {
  const { status, code, details } = await refusal(asked)
  expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' })
  const found = details['issues'] as { in: string; path: string[]; code: string }[]
  return found.map((issue) => `${issue.in} ${issue.path.join('.')} ${issue.code}`).join(', ')
}

const raw = (body: string | Buffer, type = 'application/json') => ({ body, headers: { 'content-type': type } })
/** A body of more than what is looked at as a whole. */
const long = (before: string, behind: string) => raw(`{${before}"base64":"${'AAAA'.repeat(100_000)}"${behind}}`)

describe('JSON', () => {
  test.each<[string, Asked, string]>([
    ['neither way', { body: {} }, 'body url required'],
    ['both ways', { body: { url: 'https://example.com/a', base64 } }, 'body base64 conflict'],
    ['an unknown field', { body: { base64, name: 'x' } }, 'body name unknown_field'],
    ['a number', { body: { base64: 7 } }, 'body base64 wrong_type'],
    ['null', { body: { url: null } }, 'body url wrong_type'],
    ['an empty link', { body: { url: '' } }, 'body url too_small'],
    ['an endless link', { body: { url: `https://example.com/${'a'.repeat(10_000)}` } }, 'body url too_long'],
    ['an empty type', { body: { base64, mimeType: '' } }, 'body mimeType too_small, body mimeType bad_format'],
    ['what is no type', { body: { base64, mimeType: 'png' } }, 'body mimeType bad_format'],
    ['a NUL in the type', { body: { base64, mimeType: 'image/png;\0' } }, 'body mimeType bad_format'],
    ['a NUL in the base64', { body: { base64: 'AAAA\0' } }, 'body base64 bad_format'],
    ['junk in the base64', { body: { base64: 'AA!A' } }, 'body base64 bad_format'],
    ['no padding', { body: { base64: 'AAA' } }, 'body base64 bad_format'],
    ['a data prefix of no base64', { body: { base64: 'data:image/png,AAAA' } }, 'body base64 bad_format'],
    ['a data prefix alone', { body: { base64: 'data:image/png' } }, 'body base64 bad_format'],
    ['no JSON', raw('{"base64":'), 'body  bad_format'],
    ['no object', raw('["AAAA"]'), 'body  wrong_type'],
    ['no UTF-8', raw(Buffer.from('{"base64":"\xff"}', 'latin1')), 'body  bad_format'],
    ['deep nesting', raw(`{"base64":${'['.repeat(40)}`), 'body  too_big'],
    ['an unknown field behind long base64', long('', ',"name":"x"'), 'body name unknown_field'],
    ['an unknown field before long base64', long('"name":"x",', ''), 'body name unknown_field'],
    ['a link beside long base64', long('', ',"url":"https://example.com/a"'), 'body base64 conflict'],
    ['long base64 and more of it', long('', ',"base64":"AAAA"'), 'body base64 conflict'],
    ['long base64 that does not end', raw(`{"base64":"${'AAAA'.repeat(100_000)}`), 'body  bad_format'],
    ['long base64 in a broken body', long('', ',,'), 'body  bad_format'],
    ['long base64 with junk in it', raw(`{"base64":"${'AAAA'.repeat(100_000)}!"}`), 'body base64 bad_format'],
    ['long base64 with an escape that is none', raw(`{"base64":"${'AAAA'.repeat(100_000)}\\x41"}`), 'body  bad_format'],
  ])('%s is refused', async (_what, asked, expected) => expect(await issues(asked)).toBe(expected))

  test('a query is refused', async () => {
    const { status, body } = await app.ask('POST /files?a=1', { key, body: { base64 } })
    expect([status, body.error.details['issues']]).toMatchObject([400, [{ in: 'query', path: ['a'], code: 'unknown_field' }]])
  })

  test('more than may be looked at as a whole, without base64, is too large', async () => {
    expect(await refusal(raw(`{"url":"https://example.com/${'a'.repeat(300_000)}"}`))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
    expect(await refusal(long('', `,"mimeType":"image/png;${'a'.repeat(300_000)}"`))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
  })
})

describe('a form', () => {
  test.each<[string, Asked, string]>([
    ['without a file', form({ name: 'mimeType', content: 'image/png' }), 'body file required'],
    ['without any part', form(), 'body file required'],
    ['with two files', fileForm(png, { name: 'file', content: png }), 'body file conflict'],
    [
      'with two types',
      fileForm(png, { name: 'mimeType', content: 'image/png' }, { name: 'mimeType', content: 'image/png' }),
      'body mimeType conflict',
    ],
    ['with another part', fileForm(png, { name: 'name', content: 'x' }), 'body name unknown_field'],
    ['with a part called __proto__', fileForm(png, { name: '__proto__', content: 'x' }), 'body __proto__ unknown_field'],
    ['with a link', form({ name: 'url', content: 'https://example.com/a' }), 'body url unknown_field'],
    ['with an empty type', fileForm(png, { name: 'mimeType', content: '' }), 'body mimeType too_small, body mimeType bad_format'],
    ['with a NUL in the type', fileForm(png, { name: 'mimeType', content: 'image/png;\0' }), 'body mimeType bad_format'],
    ['with an endless type', fileForm(png, { name: 'mimeType', content: `image/${'x'.repeat(10_000)}` }), 'body mimeType too_long'],
    [
      'with a file that is encoded once more',
      form({ name: 'file', content: base64, headers: ['Content-Transfer-Encoding: base64'] }),
      'body  bad_format',
    ],
    ['that is none', raw('hello', 'multipart/form-data; boundary=x'), 'body  bad_format'],
    ['that is empty', raw('', 'multipart/form-data; boundary=x'), 'body  bad_format'],
    [
      'that does not end',
      raw('--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc', 'multipart/form-data; boundary=x'),
      'body  bad_format',
    ],
    ['whose headers do not end', raw(`--x\r\nA: ${'a'.repeat(20_000)}`, 'multipart/form-data; boundary=x'), 'body  bad_format'],
    ['with a part without a name', raw('--x\r\n\r\nabc\r\n--x--', 'multipart/form-data; boundary=x'), 'body  bad_format'],
    ['without a boundary', raw('--x--', 'multipart/form-data'), 'header Content-Type required'],
    ['with an endless boundary', raw('--x--', `multipart/form-data; boundary=${'x'.repeat(71)}`), 'header Content-Type bad_format'],
  ])('%s is refused', async (_what, asked, expected) => expect(await issues(asked)).toBe(expected))
})

describe('other content types', () => {
  const allowed = ['multipart/form-data', 'application/json']
  test.each<[string, Record<string, string>, string | null]>([
    ['bytes alone', { 'content-type': 'image/png' }, 'image/png'],
    ['nothing said', { 'content-type': '' }, ''],
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }, 'application/json; charset=utf-16'],
    [
      'a form in another character set',
      { 'content-type': 'multipart/form-data; boundary=x; charset=latin1' },
      'multipart/form-data; boundary=x; charset=latin1',
    ],
    ['a packed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'content-encoding gzip'],
  ])('%s is refused', async (_what, headers, received) => {
    expect(await refusal({ body: '{}', headers })).toMatchObject({
      status: 415,
      code: 'unsupported_content_type',
      details: { received, allowed },
    })
  })
})

describe('content', () => {
  test.each<[string, Buffer, string | null]>([
    ['no bytes', Buffer.alloc(0), 'application/x-empty'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['HTML', Buffer.from('<!doctype html><title>x</title>'), 'text/html'],
    ['an archive', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'application/zip'],
    ['a program', Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(100)]), 'application/x-elf'],
    ['text', Buffer.from('once upon a time'), 'text/plain'],
    ['noise', Buffer.from('00112233445566778899aabbccddeeff', 'hex'), null],
  ])('%s is refused in every way', async (_what, content, detected) => {
    const expected = {
      status: 415,
      code: 'unsupported_file_format',
      retryable: false,
      details: { detected, declared: null, allowed: allowedMimeTypes },
    }
    expect(await refusal(fileForm(content))).toMatchObject(expected)
    expect(await refusal({ body: { base64: content.toString('base64') } })).toMatchObject(expected)
  })

  test.each<[string, Asked, string]>([
    ['a type behind the file', fileForm(png, { name: 'mimeType', content: 'image/jpeg' }), 'image/jpeg'],
    ['a type before the file', form({ name: 'mimeType', content: 'video/mp4' }, { name: 'file', content: png }), 'video/mp4'],
    ['a type in JSON', { body: { base64, mimeType: 'audio/mpeg' } }, 'audio/mpeg'],
    ['a data prefix', { body: { base64: `data:image/gif;base64,${base64}` } }, 'image/gif'],
    [
      'a data prefix beside a type that is right',
      { body: { base64: `data:image/gif;base64,${base64}`, mimeType: 'image/png' } },
      'image/gif',
    ],
  ])('%s that contradicts the content is refused', async (_what, asked, declared) => {
    expect(await refusal(asked)).toMatchObject({
      status: 415,
      code: 'unsupported_file_format',
      details: { detected: 'image/png', declared },
    })
  })

  test('content that breaks off is refused in every way', async () => {
    const half = png.subarray(0, png.length / 2)
    const expected = { status: 422, code: 'file_processing_failed', retryable: false, details: { fileId: null, cause: 'truncated' } }

    expect(await refusal(fileForm(half))).toMatchObject(expected)
    expect(await refusal({ body: { base64: half.toString('base64') } })).toMatchObject(expected)
  })
})
