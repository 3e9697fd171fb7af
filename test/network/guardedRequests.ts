import { expect } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { FetchFailure } from '../../src/network/fetchFailure.ts'
import { type GuardedAnswer, type GuardedRequest, guardedFetch } from '../../src/network/guardedFetch.ts'

/** A file download like the service's, with loopback allowed. */
export const fileLink = {
  method: 'GET',
  schemes: 'http_and_https',
  ports: 'web',
  allowedPrivate: parseCidrs('127.0.0.1/32'),
  own: { listeners: [], names: [] },
  redirectsMax: 3,
  deadlineSeconds: 5,
  bodyBytesMax: 1_000_000,
  answers: 'success',
} as const satisfies Omit<GuardedRequest, 'url'>

/** A webhook delivery like the service's, with loopback allowed. */
export const webhook = {
  ...fileLink,
  method: 'POST',
  schemes: 'https',
  redirectsMax: 0,
  answers: 'any',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"id":"evt_1"}'),
} as const satisfies Omit<GuardedRequest, 'url'>

/** Fetches and reads the whole body. */
export async function fetchText(request: GuardedRequest): Promise<{ answer: GuardedAnswer; text: string }> {
  const answer = await guardedFetch(request)
  return { answer, text: Buffer.concat(await answer.body.toArray()).toString() }
}

/** Returns the failure of `work`. Success or another error fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<FetchFailure> {
  const outcome = await work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(FetchFailure)
  return outcome as FetchFailure
}
