import { expect, test, vi } from 'vitest'
import { loggedFields } from '../../../src/cli/boot/loggedFields.ts'
import { makeLogger } from '../../../src/cli/boot/logger.ts'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'

const secret = 'a secret fox'

function capture() {
  const lines: string[] = []
  const log = makeLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

test('a log entry is one JSON line with its time, level, message and known fields', () => {
  const { log, lines, last } = capture()
  log.info({ requestId: 'req_01', state: 'ready', durationSeconds: 1.5, replayed: false, roles: ['http', 'jobs'] }, 'done')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('}\n')).toBe(true)
  expect(last()).toMatchObject({
    level: 'info',
    msg: 'done',
    requestId: 'req_01',
    state: 'ready',
    durationSeconds: 1.5,
    replayed: false,
    roles: ['http', 'jobs'],
    pid: process.pid,
  })
  expect(last()['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

const sqlError = Object.assign(new Error(`invalid input syntax for type json: "${secret}"`), {
  name: 'error',
  code: '22P02',
  severity: 'ERROR',
})
const ormError = Object.assign(new Error(`insert into x values ('${secret}') - duplicate key`), {
  name: 'UniqueConstraintViolationException',
  code: '23505',
  severity: 'ERROR',
})

test.each<[string, object]>([
  ['a prompt', { prompt: secret }],
  ['a body', { body: { prompt: secret, parameters: { text: secret } } }],
  ['headers', { headers: { authorization: `Bearer ${secret}` } }],
  ['a token', { token: secret }],
  ['a URL with a query', { url: `/r/x?token=${secret}` }],
  ['free text in a field for an identifier', { generationId: secret }],
  ['bytes', { bytes: Buffer.from(secret) }],
  ['a list', { prompts: [secret, [secret]] }],
  ['deep nesting', { a: { b: { c: { d: { e: { state: secret } } } } } }],
  ['an error', { error: new Error(secret) }],
  ['a parse error', { err: new SyntaxError(secret) }],
  ['a database error that contains a value', { error: sqlError }],
  ['an ORM error that contains the statement', { error: ormError }],
  ['the cause of an error', { error: new TypeError('plain', { cause: new Error(secret) }) }],
  ['the stack of an error', { error: new Error(secret).stack }],
  ['a request', { req: { method: 'GET', url: `/x?${secret}`, headers: { cookie: secret }, routeOptions: { url: '/x' } } }],
])('%s is not logged', (_, fields) => {
  const { log, lines } = capture()
  log.error(fields, 'failed')
  log.child(fields).warn('failed')
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain(secret)
  expect(lines.join('')).not.toContain(Buffer.from(secret).toJSON().data.join())
})

test('names of partitions are logged, and nothing else under that name', () => {
  const { log, last } = capture()
  const partitions = ['generations_2026_11', 'webhook_deliveries_2026_11_24', 'generations_2026_03_2']
  log.info({ partitions }, 'partitions created')
  expect(last()).toMatchObject({ partitions })
  log.info({ partitions: [secret, 'atl_VnUcUl8aCF7MDM8tmUFCKddXGwpbX7RiRYG2o37MqJg0kZrA9', 'team_2026'] }, 'partitions created')
  expect(last()).toMatchObject({ partitions: ['[hidden]', '[hidden]', '[hidden]'] })
})

test('the message of an unknown error is not logged, even if the caller logs only the error or repeats its message', () => {
  const { log, lines } = capture()
  log.error(new Error(secret))
  log.error({ err: new Error(secret) }, secret)
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain(secret)
})

test('an error is logged with its type, code and stack frames; the messages of refusals and system errors are logged too', () => {
  const { log, last } = capture()
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
  log.error({ error: new Refusal('service_unavailable', undefined, { cause }) }, 'failed')
  expect(last()['error']).toMatchObject({
    type: 'Refusal',
    code: 'service_unavailable',
    message: 'The service is temporarily unavailable. Repeat in a few seconds.',
    stack: expect.stringMatching(/^at .*logger\.test\.ts/),
    cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
  })
})

test('the provider, its message and the subject of a breaker are logged unchanged', () => {
  const fields = { provider: 'openai', said: '{"code":"insufficient_quota"}', subject: 'vendor:openai' }
  expect(loggedFields(fields)).toEqual(fields)
})

test('a request is logged with its method and route', () => {
  const { log, last } = capture()
  log.info({ req: { method: 'GET', routeOptions: { url: '/r/:token' }, url: '/r/abc' }, res: { statusCode: 200 } }, 'answered')
  expect(last()).toMatchObject({ req: { method: 'GET', route: '/r/:token' }, res: { statusCode: 200 } })
})

test('entries below the configured level are not logged', () => {
  const lines: string[] = []
  const log = makeLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  log.info({}, 'no')
  log.warn({}, 'yes')
  expect(lines).toHaveLength(1)
})

test('equal warnings and errors become one entry with their number, and different ones stay', async () => {
  const lines: { msg: string; level: string; repeated?: number }[] = []
  const log = makeLogger({ level: 'info', repeatsMs: 30, destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  for (let times = 0; times < 242; times += 1) log.warn({ requestId: `req_${times}`, cause: 'ECONNREFUSED' }, 'service unavailable')
  log.warn({ cause: 'ECONNRESET' }, 'service unavailable')
  for (let times = 0; times < 3; times += 1) log.info({ state: 'ready' }, 'done')
  expect(lines.map(({ msg }) => msg)).toEqual(['service unavailable', 'service unavailable', 'done', 'done', 'done'])
  await vi.waitFor(() => expect(lines).toHaveLength(6))
  expect(lines.at(-1)).toMatchObject({ level: 'warn', msg: 'service unavailable', cause: 'ECONNREFUSED', repeated: 241 })
})
