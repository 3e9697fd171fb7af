import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kindOf } from '../../../clients/typescript/src/errors/atelierError.ts'
import { errorName, formerErrorName } from '../../../clients/typescript/src/errors/errorName.ts'
import { errorOf } from '../../../clients/typescript/src/errors/errorOf.ts'
import * as client from '../../../clients/typescript/src/index.ts'
import { clientRefusals } from '../../../scripts/generate/clientRefusals.ts'
import { errorClasses } from '../../../scripts/generate/errorClasses.ts'
import { type RefusalCode, refusalTable, type DetailsOf as SentDetails } from '../../../src/contract/refusals/refusals.ts'
import { json, refusal, scriptedServer } from './scriptedServer.ts'

test('the committed classes match the table of refusals; npm run generate:client updates them', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../clients/typescript/src/errors/refusals.ts'), 'utf8')
  expect(committed).toBe(clientRefusals(errorClasses(refusalTable, { kindOf, errorName, formerErrorName })))
})

/** The value as it is after sending: without undefined fields, and with mutable lists. */
type Received<Value> = Value extends readonly (infer Item)[]
  ? Received<Item>[]
  : Value extends object
    ? { [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Received<Value[Name]> } & {
        [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Received<Exclude<Value[Name], undefined>>
      }
    : Value
/** Only the client types `available`. */
type Comparable<Details> = Details extends { available: unknown } ? Omit<Details, 'available'> : Details
type Sent<Code extends RefusalCode> = SentDetails<Code> extends undefined ? Record<string, never> : Received<SentDetails<Code>>
type NamesOf<Union> = Union extends Union ? keyof Union : never

/** Compiles only if the details of every code are typed as the service makes them. */
const detailsFit: {
  [Code in RefusalCode]: Sent<Code> extends Comparable<client.DetailsOf<Code>>
    ? NamesOf<client.DetailsOf<Code>> extends NamesOf<Sent<Code>>
      ? NamesOf<Sent<Code>> extends NamesOf<client.DetailsOf<Code>>
        ? true
        : 'a name is missing'
      : 'a name is not sent'
    : 'a type differs'
} = Object.fromEntries(Object.keys(refusalTable).map((code) => [code, true])) as Record<RefusalCode, true>

const classes = client as unknown as Record<string, new () => Error>

test('each refusal is an instance of the class of its code and of its kind', () => {
  for (const code of Object.keys(detailsFit) as RefusalCode[]) {
    const { http: status, message, retryable } = refusalTable[code]
    const error = errorOf({ code, status, message, retryable, details: {} })
    expect(errorName(code)).toMatch(/[a-z]Error$/)
    expect(error).toBeInstanceOf(classes[errorName(code)])
    expect(error).toBeInstanceOf(classes[formerErrorName(code)])
    expect(error).toMatchObject({ code, kind: kindOf(status, code), name: 'AtelierError' })
    expect(
      [...new Set(Object.values(classes))].filter(
        (each) => typeof each === 'function' && each.prototype instanceof client.AtelierError && error instanceof each,
      ),
    ).toHaveLength(2)
  }
})

test('a refusal has its documentation link and typed details', async () => {
  const error = {
    code: 'insufficient_credits',
    message: 'No.',
    retryable: false,
    docUrl: 'https://atelier.example/docs/errors#insufficient_credits',
    details: { credits: 8, creditsAvailable: 2.5, creditsHeld: 0 },
  }
  const { client: atelier } = await scriptedServer([json(402, { error })])
  const thrown: unknown = await atelier.getAccount().catch((reason: unknown) => reason)
  expect(thrown).toBeInstanceOf(client.InsufficientCredits)
  expect(thrown).toBeInstanceOf(client.CreditsError)
  if (!(thrown instanceof client.InsufficientCredits)) return
  const missing: number = thrown.details.credits - thrown.details.creditsAvailable
  expect([missing, thrown.docUrl]).toEqual([5.5, error.docUrl])
})

test('hasCode checks for several codes, each with its own details', () => {
  const daily = {
    limitKind: 'daily',
    limitCredits: 5,
    credits: 8,
    spentCredits: 1,
    heldCredits: 0,
    resetsAt: '2026-11-21T00:00:00.000Z',
  } as const
  const error: unknown = errorOf({ code: 'spend_limit_exceeded', status: 403, message: 'No.', retryable: true, details: daily })
  expect(client.hasCode(error, 'insufficient_credits', 'spend_limit_exceeded') && error.details.credits).toBe(8)
  expect(client.hasCode(error, 'spend_limit_exceeded') && error.details.limitKind === 'daily' && error.details.resetsAt).toBe(
    daily.resetsAt,
  )
  expect(client.hasCode(error, 'rate_limited', 'timed_out')).toBe(false)
  expect(client.hasCode(new Error('no'), 'rate_limited')).toBe(false)
})

test.for([
  [409, client.ConflictError],
  [422, client.RequestError],
  [500, client.ServiceError],
] as const)('a code of a later release under %i is of the class of its status, whatever it is called', async ([status, Class]) => {
  for (const code of ['brand_new', 'constructor', '__proto__', 'atelier_error', 'has_code']) {
    const { client: atelier } = await scriptedServer([refusal(status, code)])
    const error: unknown = await atelier.getAccount().catch((reason: unknown) => reason)
    expect(Object.getPrototypeOf(error)).toBe(Class.prototype)
    expect(error).toMatchObject({ code, status })
  }
})

test('foreign answers and missing answers have their own classes', async () => {
  const proxied = await scriptedServer([json(404, '<html>')])
  await expect(proxied.client.getAccount()).rejects.toBeInstanceOf(client.UnexpectedAnswerError)
  const gone = await scriptedServer([(response) => void response.destroy()], { attemptsMax: 1 })
  await expect(gone.client.getAccount()).rejects.toBeInstanceOf(client.ConnectionFailedError)
  const slow = await scriptedServer([() => undefined], { timeoutSeconds: 0.05 })
  await expect(slow.client.getAccount()).rejects.toBeInstanceOf(client.TimedOutError)
})
