import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realTiming } from '../../../../clients/typescript/src/http/timing.ts'
import { breakOff, closeConnections, json, refusal, scriptedServer, silence } from '../scriptedServer.ts'
import { aFolder, atelierClient, type CtrlC } from './commandRun.ts'

const value = `atl_${'7Hq2Vb0x'.repeat(6)}1`
const timing = { ...realTiming, pause: async () => undefined, random: () => 0 }
const begun = {
  generationId: 'gen_01k00000000000000000000000',
  state: 'ready',
  finishedAt: '2026-11-20T12:00:00.000Z',
  creditsHeld: 0,
  creditsCharged: 1,
  result: { type: 'image', mimeType: 'image/png', sizeBytes: 4 },
}

test.for<[string, string[], RegExp]>([
  ['an unknown command', ['runn'], /no command runn\. Did you mean run\?/],
  ['an unknown option', ['run', 'a', '--ouptut', 'x'], /no option --ouptut\. Did you mean --output\?/],
  ['an option without its value', ['run', 'a', '-o'], /output/],
  ['a prompt without quotes', ['run', 'a', 'red', 'door'], /quotes around a prompt/],
  ['no family', ['run'], /<family> is missing/],
  ['an invalid time', ['run', 'a', '--timeout', 'soon'], /--timeout takes a time/],
  ['an invalid number', ['run', 'a', '--max-credits', '1e3'], /--max-credits takes a number/],
  ['a parameter without a value', ['run', 'a', '-p', 'width'], /-p takes name=value/],
  ['invalid JSON', ['run', 'a', '-p', 'width:=x'], /-p width:= takes JSON/],
  ['a model and axes', ['run', 'a', '--model', 'b', '--axis', 'c=d'], /exclude each other/],
  ['an invalid address', ['account', '--url', 'ftp://x'], /--url or ATELIER_URL/],
  ['an address with a password', ['account', '--url', 'http://a:b@x'], /--url or ATELIER_URL/],
  ['two keys', ['account', '--key', 'a', '--key-file', 'b'], /exclude each other/],
  ['a missing key file', ['account', '--key-file', '/none'], /cannot be read \(ENOENT\)/],
])('%s is reported before any request', async ([, argv, words]) => {
  const ended = await atelierClient(argv, { env: { ATELIER_URL: 'http://127.0.0.1:1', ATELIER_KEY: 'atl_x' }, timing })
  expect([ended.code, ended.out]).toEqual([2, ''])
  expect(ended.words).toMatch(words)
})

test('with --json a refusal is printed to standard error as the API sends it', async () => {
  const { origin } = await scriptedServer([refusal(402, 'insufficient_credits', { details: { credits: 8 } })])
  const { code, out, words } = await atelierClient(['account', '--json', '--url', origin, '--key', value])
  expect([code, out]).toEqual([5, ''])
  expect(JSON.parse(words)).toEqual({
    error: {
      ...{ code: 'insufficient_credits', message: 'No: insufficient_credits.', retryable: false, details: { credits: 8 } },
      requestId: 'req_1',
    },
  })
})

test('without a key the message names the variable, and a given key is used and never shown', async () => {
  expect(await atelierClient(['account'])).toMatchObject({ code: 4, words: expect.stringContaining('ATELIER_KEY') })
  const { requests, origin } = await scriptedServer([refusal(401, 'invalid_token')])
  const path = join(await aFolder(), 'key')
  await writeFile(path, `${value}\n`)
  const ways = [
    { argv: ['--key', value] },
    { argv: ['--key', '-'], stdin: `${value}\n` },
    { argv: ['--key-file', path] },
    { argv: [], env: { ATELIER_KEY: value } },
  ]
  for (const { argv, ...surroundings } of ways) {
    const { code, words, out } = await atelierClient(['account', '--url', origin, ...argv], surroundings)
    expect(code).toBe(4)
    expect(words + out).not.toContain(value)
  }
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(ways.map(() => `Bearer ${value}`))
  const mistaken = await atelierClient([value, '--help'])
  expect(mistaken.words).not.toContain(value)
})

test('a start whose answer was lost prints the command to continue, with uploads by identifier and without the key', async () => {
  const path = join(await aFolder(), 'my picture.png')
  await writeFile(path, 'x')
  const uploaded = json(201, { fileId: 'file_01k00000000000000000000000' })
  const { requests, origin } = await scriptedServer([uploaded, closeConnections])
  const argv = ['run', 'sandbox-image', "it's a\ndoor", '--image', path, '--key', value, '--url', origin, '-p', 'seed:=1']
  const { code, words } = await atelierClient(argv, { timing })
  const key = String(requests[1]?.headers['idempotency-key'])
  expect(code).toBe(9)
  expect(words).toContain(
    `atelier-client run --image=file_01k00000000000000000000000 --url=${origin} --parameter=seed:=1 --idempotency-key=${key} -- sandbox-image $'it\\'s a\\U0000000adoor'\n`,
  )
  expect(words).not.toContain(value)
  expect(new Set(requests.slice(1).map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([key]))
})

test('Ctrl-C waits for the answer of a start, and a second one exits with the command to continue', async () => {
  const { requests, origin } = await scriptedServer([silence])
  const pressed = { env: { ATELIER_KEY: value }, onStart: (keys: CtrlC) => void setTimeout(() => pressOnceReceived(keys)) }
  const pressOnceReceived = (keys: CtrlC) => (requests.length > 0 ? keys.press() : setTimeout(() => pressOnceReceived(keys), 1))
  const onWords = (text: string, keys: CtrlC) => void (text.endsWith('leave at once.\n') && keys.press())
  const { code, words } = await atelierClient(['run', 'sandbox-image', 'A door', '--url', origin], { ...pressed, onWords })
  expect(code).toBe(130)
  const key = String(requests[0]?.headers['idempotency-key'])
  expect(words).toMatch(/a moment away[\s\S]*not known/)
  expect(words).toContain(`--idempotency-key=${key} -- sandbox-image 'A door'\n`)
})

test('an incomplete download leaves no file, and the message says that the result is kept', async () => {
  const folder = await aFolder()
  const { origin } = await scriptedServer([breakOff])
  const result = { ...begun.result, url: `${origin}/r/x` }
  const service = await scriptedServer([json(200, { ...begun, result })])
  const argv = ['get', begun.generationId, '-o', join(folder, 'out.png'), '--url', service.origin]
  const { code, words } = await atelierClient(argv, { env: { ATELIER_KEY: value }, timing })
  expect(code).toBe(1)
  expect(words).toContain(`atelier-client get ${begun.generationId} -o`)
  expect(await readdir(folder)).toEqual([])
})

test('a file name of the service cannot leave the folder', async () => {
  const folder = await aFolder()
  const links = await scriptedServer([
    (response) => void response.writeHead(200, { 'Content-Disposition': 'inline; filename="../../evil.png"' }).end('abcd'),
  ])
  const service = await scriptedServer([json(200, { ...begun, result: { ...begun.result, url: `${links.origin}/r/x` } })])
  const argv = ['get', begun.generationId, '-o', folder, '--url', service.origin]
  expect(await atelierClient(argv, { env: { ATELIER_KEY: value } })).toMatchObject({
    code: 0,
    out: `${join(folder, begun.generationId)}\n`,
  })
})
