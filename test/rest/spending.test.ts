import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { type Answered, testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)

const draft = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const pro = { ...draft, axes: { version: 'pro' } }

const start = (key: string, body: unknown = draft) => app.ask('POST /generations', { key, body })
/** Starts again while the machine is too busy for all starts at once. */
async function startUntilDecided(key: string): Promise<Answered> {
  const answer = await start(key)
  return answer.status === 503 ? startUntilDecided(key) : answer
}
const estimate = (key: string, body: unknown = draft) => app.ask('POST /generations/estimate', { key, body })
const account = async (key: string) => (await app.ask('GET /account', { key })).body

async function end(id: string): Promise<void> {
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
}

const priced: [name: string, body: object, credits: number, breakdown: object[]][] = [
  ['a draft', draft, 1, [{ unit: 'generation', quantity: 1, credits: 1 }]],
  ['a standard image', { ...draft, axes: { version: 'standard' } }, 2, [{ unit: 'generation', quantity: 1, credits: 2 }]],
  [
    'a whole variant by its name',
    { ...draft, modelId: 'sandbox-image.text-to-image.pro' },
    8,
    [{ unit: 'generation', quantity: 1, credits: 8 }],
  ],
  ['two seconds of video', { familyId: 'sandbox-video', prompt: 'waves' }, 4, [{ unit: 'output_second', quantity: 2, credits: 4 }]],
  [
    'a third of a second more, rounded up to the hundredth once',
    { familyId: 'sandbox-video', prompt: 'waves', axes: { mode: 'quality' }, parameters: { durationSeconds: 1.3333 } },
    6.67,
    [{ unit: 'output_second', quantity: 1.3333, credits: 6.67 }],
  ],
  [
    'a thousand characters of speech',
    { familyId: 'sandbox-audio', prompt: 'a'.repeat(1000) },
    0.5,
    [{ unit: 'thousand_characters', quantity: 1, credits: 0.5 }],
  ],
  [
    'one more character',
    { familyId: 'sandbox-audio', prompt: 'a'.repeat(1001) },
    1,
    [{ unit: 'thousand_characters', quantity: 2, credits: 1 }],
  ],
]

test.each(priced)('%s costs what was estimated: estimate, hold and charge agree', async (_name, body, credits, breakdown) => {
  const { value: key } = await aTeamWithKey(services, { credits: 10 })
  const estimated = await estimate(key, body)
  expect(estimated).toMatchObject({ status: 200, body: { credits, breakdown, creditsAvailable: 10, sufficient: true, blockers: [] } })
  const started = await start(key, body)
  expect(started).toMatchObject({
    status: 201,
    body: { creditsHeld: credits, creditsCharged: null, modelId: estimated.body.variant.modelId },
  })
  expect(await account(key)).toMatchObject({
    creditsAvailable: 10 - credits,
    key: { limits: { daily: { heldCredits: credits, spentCredits: 0 } } },
  })
  await end(started.body.generationId)
  expect((await app.ask(`GET /generations/${started.body.generationId}`, { key })).body).toMatchObject({
    creditsHeld: 0,
    creditsCharged: credits,
  })
  expect(await account(key)).toMatchObject({
    creditsAvailable: 10 - credits,
    key: { limits: { daily: { heldCredits: 0, spentCredits: credits } } },
  })
})

test('an estimate creates nothing and holds nothing', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 10 })
  await Promise.all(Array.from({ length: 10 }, () => estimate(key, pro)))
  expect(await account(key)).toMatchObject({ creditsAvailable: 10 })
  expect((await app.ask('GET /generations', { key })).body.items).toEqual([])
})

test('of 50 concurrent starts with credits for ten exactly ten are accepted', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 10 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => startUntilDecided(key)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status === 402)
  expect(refused).toHaveLength(40)
  for (const { body } of refused)
    expect(body.error).toMatchObject({
      code: 'insufficient_credits',
      retryable: true,
      details: { credits: 1, creditsAvailable: 0, creditsHeld: 10 },
    })
  expect(await account(key)).toMatchObject({ creditsAvailable: 0, key: { limits: { daily: { heldCredits: 10 } } } })
  expect(await checkBooks(operator)).toEqual({ clean: true, faults: [] })
})

test('insufficient_credits is retryable only when the held credits would be enough', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 8 })
  const held = await start(key)
  expect((await start(key, pro)).body.error).toMatchObject({
    code: 'insufficient_credits',
    retryable: true,
    details: { credits: 8, creditsAvailable: 7, creditsHeld: 1 },
  })
  await end(held.body.generationId)
  expect((await start(key, pro)).body.error).toMatchObject({
    code: 'insufficient_credits',
    retryable: false,
    details: { credits: 8, creditsAvailable: 7, creditsHeld: 0 },
  })
  expect((await estimate(key, pro)).body).toMatchObject({ sufficient: false, blockers: ['insufficient_credits'] })
})

test('maxCredits refuses a higher price by a hundredth, and accepts an equal price', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 10 })
  for (const maxCredits of [0, 0.99, 0.999]) {
    expect(await start(key, { ...draft, maxCredits })).toMatchObject({
      status: 402,
      body: { error: { code: 'cost_above_limit', retryable: false, details: { credits: 1, maxCredits } } },
    })
    expect((await estimate(key, { ...draft, maxCredits })).body.blockers).toEqual(['cost_above_limit'])
  }
  for (const maxCredits of [1, 1.005, 1_000_000_000]) expect((await start(key, { ...draft, maxCredits })).status).toBe(201)
})

test('a failed hold is refused with credit_reservation_failed, and moves nothing', async () => {
  const { value: key, team } = await aTeamWithKey(services)
  const accountId = `acct_${team.id.slice(5)}`
  await services.pool.query('create function hold_nothing() returns trigger language plpgsql as $$ begin return null; end $$')
  await services.pool.query(
    `create trigger hold_nothing before update on credit_accounts for each row when (old.id = '${accountId}') execute function hold_nothing()`,
  )
  expect(await start(key)).toMatchObject({
    status: 402,
    body: { error: { code: 'credit_reservation_failed', retryable: true, details: { credits: 1 } } },
  })
  await services.pool.query('drop trigger hold_nothing on credit_accounts')
  expect(await account(key)).toMatchObject({ creditsAvailable: 1000 })
  expect((await start(key)).status).toBe(201)
})

test('an unavailable queue is refused with queue_unavailable, and nothing is held', async () => {
  const { value: key } = await aTeamWithKey(services)
  await services.pool.query('alter table graphile_worker._private_jobs rename to jobs_away')
  try {
    expect(await start(key)).toMatchObject({ status: 500, body: { error: { code: 'queue_unavailable', retryable: true } } })
  } finally {
    await services.pool.query('alter table graphile_worker.jobs_away rename to _private_jobs')
  }
  expect(await account(key)).toMatchObject({ creditsAvailable: 1000 })
})

test('the books balance after all tests', async () => {
  expect(await checkBooks(operator)).toEqual({ clean: true, faults: [] })
})
