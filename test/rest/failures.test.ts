import { afterAll, describe, expect, test } from 'vitest'
import { failureTable } from '../../src/contract/failures/failures.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { type Answered, testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const { creditsAvailable: before } = (await app.ask('GET /account', { key })).body

const reasons = Object.entries(failureTable).flatMap(([code, { retryable, reasons: each }]) =>
  Object.entries(each).map(([reason, { hint, message }]) => ({ code, reason, retryable, hint, message })),
)

async function ended(body: object): Promise<Answered> {
  const started = await app.ask('POST /generations', { key, body })
  expect(started.status).toBe(201)
  return app.ask(`GET /generations/${started.body.generationId}?wait=60`, { key })
}

const size = { maxBytes: expect.any(Number), actualBytes: expect.any(Number) }
const numbers: Record<string, unknown> = {
  prompt_too_long: { maxLength: expect.any(Number), actualLength: expect.any(Number) },
  file_too_large: size,
  file_too_small: expect.objectContaining(size),
}

describe.each(reasons)('work that fails as $code/$reason', ({ code, reason, retryable, hint, message }) => {
  test('is told in our own words, with what to do, and costs nothing', async () => {
    const answer = await ended({ familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { outcome: `${code}/${reason}` } })
    expect(answer).toMatchObject({
      status: 200,
      body: { state: 'failed', creditsHeld: 0, creditsCharged: 0, finishedAt: expect.any(String) },
    })
    const details = numbers[reason]
    expect(answer.body.error).toEqual({
      code,
      reason,
      message,
      retryable,
      hint,
      ...(details ? { details } : {}),
      docUrl: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${code}-${reason}$`)),
    })
    expect(Object.keys(answer.body).toSorted()).not.toEqual(expect.arrayContaining(['result', 'pollAfterSeconds', 'reusableAs']))
  })
})

test('a prompt that is too long for the model fails with the limit and the actual length', async () => {
  const prompt = '\u{1F30A}'.repeat(2001)
  const answer = await ended({ familyId: 'sandbox-image', prompt })
  expect(answer.body.error).toMatchObject({
    code: 'prompt_validation',
    reason: 'prompt_too_long',
    details: { maxLength: 2000, actualLength: 2001 },
  })
})

test('failed generations have the status failed in the history and cost nothing', async () => {
  const { body } = await app.ask('GET /generations?status=failed', { key })
  expect(body.items).toHaveLength(reasons.length + 1)
  expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(before)
  expect(await checkBooks(aServiceContext(app.services))).toEqual({ clean: true, faults: [] })
})
