import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeLogger } from '../../src/cli/boot/logger.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { makeRegistry } from '../../src/providers/registry.ts'
import { makeApiKey } from '../../src/secrets/apiKeyText.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { exchange } from '../support/http/rawSocket.ts'
import { sharedSandbox } from '../support/media/sharedWorkers.ts'

/** Secrets and user texts that must not appear anywhere else. */
const prompt = `canary prompt ${randomBytes(8).toString('hex')}`
const serviceToken = `canary-token-${randomBytes(16).toString('hex')}`
const unknownKey = makeApiKey().value
const oddText = `canary-text-${randomBytes(8).toString('hex')}`
let key = ''
let linkToken = ''
let app: TestApp

/** A sandbox that sometimes fails with the user's text in the error, like a careless vendor library. */
function indiscreet(): ReturnType<typeof makeRegistry> {
  const sandbox = sharedSandbox()
  let calls = 0
  const submit: Provider['submit'] = (spec, context) => {
    if (++calls % 2 === 1) throw new Error(`could not run "${spec.prompt}" with ${JSON.stringify(spec)}`)
    return sandbox.submit(spec, context)
  }
  return makeRegistry([{ ...sandbox, submit }])
}

beforeAll(async () => {
  app = await testApp({ worker: indiscreet, serviceToken })
  key = (await aTeamWithKey(app.services)).value
  await workThatEnds()
  await faultyRequests()
  await faultsOfOurs()
})
afterAll(() => app.close())

async function workThatEnds(): Promise<void> {
  const body = { familyId: 'sandbox-image', prompt, parameters: { width: 64, height: 64 } }
  const started = await app.ask('POST /generations', { key, body, headers: { 'idempotency-key': oddText } })
  const ended = await app.ask(`GET /generations/${started.body.generationId}?wait=30`, { key })
  expect(ended.body.state).toBe('ready')
  const url = String(ended.body.result?.url)
  linkToken = url.slice(url.lastIndexOf('/') + 1)
  await fetch(url)
  await app.ask(`GET ${url}?download=1&note=${oddText}`)
}

async function faultyRequests(): Promise<void> {
  for (const what of [
    `GET /nothing/${oddText}`,
    `GET /families/${oddText}%ZZ`,
    `GET /families?task=${oddText}`,
    `GET /generations?cursor=${oddText}`,
  ]) {
    await app.ask(what, { key })
    await app.ask(what, { key: unknownKey })
  }
  for (const body of [
    `{"prompt":"${prompt}"`,
    { familyId: oddText, prompt },
    { familyId: 'sandbox-image', prompt, axes: { [oddText]: oddText } },
  ]) {
    await app.ask('POST /generations', { key, body })
  }
  await app.ask('GET /account', { headers: { authorization: `Basic ${key}` } })
  await exchange(app.port, `GET /${oddText} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nbroken\r\n\r\n`)
  const query = `{ team(id: "${oddText}") { name ${oddText} } }`
  await app.ask('POST //graphql', { key: serviceToken, body: { query } })
  await app.ask('POST //graphql', { key: `${serviceToken}x`, body: { query } })
}

/** PostgreSQL quotes user input in errors. */
async function faultsOfOurs(): Promise<void> {
  const { pool } = app.services
  await pool.query(
    `create function repeat_prompt() returns trigger language plpgsql as $$ begin perform new.prompt::integer; return new; end $$`,
  )
  await pool.query('create trigger repeat_prompt before insert on generations for each row execute function repeat_prompt()')
  const refused = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt } })
  await pool.query('drop trigger repeat_prompt on generations')
  expect(refused).toMatchObject({
    status: 500,
    body: { error: { code: 'internal_error', message: expect.stringMatching(/^The service failed\./) } },
  })
  expect(refused.text).not.toContain(prompt)

  await pool.query('create trigger repeat_prompt before update on generations for each row execute function repeat_prompt()')
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt } })
  const hasFailed = async () => expect((await pool.query('select from graphile_worker.jobs where last_error is not null')).rowCount).toBe(1)
  await vi.waitFor(hasFailed, { timeout: 8000, interval: 20 })
  await pool.query('drop trigger repeat_prompt on generations')
}

/** Everything that was logged, at the most verbose level. */
function written(): string {
  let lines = ''
  const log = makeLogger({ level: 'debug', destination: { write: (line: string) => void (lines += line) } })
  for (const { level, fields, message } of app.logged) log[level](fields, message)
  return lines
}

test('no log line contains secrets or user input', () => {
  const lines = written()
  expect(lines).toContain('"msg":"request"')
  expect(lines).toContain('submit did not answer')
  expect(lines).toContain('internal error')
  expect(lines).toContain('a job failed')
  for (const secret of [prompt, serviceToken, unknownKey, key, linkToken, oddText, key.slice(4, 40)]) expect(lines).not.toContain(secret)
})

test('jobs contain only identifiers, and the queue stores no error messages', async () => {
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt, parameters: { runSeconds: 60 } } })
  const { rows } = await app.services.pool.query<{ job: string }>(`select to_jsonb(j)::text as job from graphile_worker._private_jobs j`)
  expect(rows.length).toBeGreaterThan(0)
  for (const { job } of rows) {
    for (const secret of [prompt, key, linkToken, oddText]) expect(job).not.toContain(secret)
  }
})

test('the database never contains the value of a key', async () => {
  const { rows } = await app.services.pool.query<{ table: string }>(
    `select format('%I.%I', table_schema, table_name) as table from information_schema.tables
       where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  )
  for (const { table } of rows) {
    const found = await app.services.pool.query(`select 1 from ${table} t where position($1 in to_jsonb(t)::text) > 0 limit 1`, [
      key.slice(12),
    ])
    expect([table, found.rowCount]).toEqual([table, 0])
  }
})
