import { afterAll, expect, test } from 'vitest'
import { orderOfChecks, type Stage, stages } from '../../src/contract/refusals/orderOfChecks.ts'
import type { RefusalCode } from '../../src/contract/refusals/refusals.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import type { Scope } from '../../src/entities/ApiKey.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aServiceContext, aTeam, restScopes } from '../support/factories.ts'

const open = await testApp()
const { databaseUrl } = open
const noRequests = await testApp({ databaseUrl, settings: { requestsPerMinute: 0 } })
const noRoom = await testApp({ databaseUrl, settings: { openGenerationsMax: 0 } })
const noSlots = await testApp({ databaseUrl, settings: { requestsInProgress: 0 } })
afterAll(async () => {
  await Promise.all([noRoom.close(), noRequests.close(), noSlots.close()])
  await open.close()
})
const operator = aServiceContext(open.services)

/** Everything that can be wrong with one request to start a generation. */
type Situation = {
  app: TestApp
  withKey: boolean
  team: { blocked?: boolean; externalAccess?: boolean; planExpiresAt?: Date }
  role: 'owner' | 'member'
  scopes: readonly Scope[]
  ceilings: { singleLimitCredits?: number; dailyLimitCredits?: number; monthlyLimitCredits?: number }
  credits: number
  headers: Record<string, string>
  usedIdempotencyKey?: string | undefined
  oversized: boolean
  body: Record<string, unknown>
}

const wellDone = (): Situation => ({
  app: open,
  withKey: true,
  team: {},
  role: 'owner',
  scopes: restScopes,
  ceilings: {},
  credits: 100,
  headers: {},
  oversized: false,
  body: { familyId: 'sandbox-image', prompt: 'a lighthouse' },
})

type Fault = { code: RefusalCode; limitKind?: string; make(situation: Situation): void }

/** By the stages that find them. */
const faultsOf: Record<Stage, Record<string, Fault>> = {
  key: {
    'no key': { code: 'unauthorized', make: (it) => void (it.withKey = false) },
  },
  'rate and concurrency': {
    'no requests left': { code: 'rate_limited', make: (it) => void (it.app = noRequests) },
    'no slot left': { code: 'too_many_concurrent', make: (it) => void (it.app = it.app === noRequests ? noRequests : noSlots) },
  },
  'account, team and role': {
    'a blocked account': { code: 'account_blocked', make: (it) => void (it.team.blocked = true) },
    'no external access': { code: 'access_denied', make: (it) => void (it.team.externalAccess = false) },
    'an ended plan': { code: 'team_expired', make: (it) => void (it.team.planExpiresAt = new Date('2020-01-01')) },
    'an issuer without the role': { code: 'team_required', make: (it) => void (it.role = 'member') },
  },
  scope: {
    'a missing scope': { code: 'insufficient_scope', make: (it) => void (it.scopes = ['account:read']) },
  },
  'content type and size': {
    'another content type': { code: 'unsupported_content_type', make: (it) => void (it.headers['content-type'] = 'text/plain') },
    'too large a body': { code: 'payload_too_large', make: (it) => void (it.oversized = true) },
  },
  'body or query': {
    'an unknown field': { code: 'invalid_request', make: (it) => void (it.body['extra'] = 1) },
  },
  idempotency: {
    'a used idempotency key': { code: 'idempotency_conflict', make: (it) => void (it.usedIdempotencyKey = 'used') },
  },
  family: {
    'an unknown family': { code: 'family_not_found', make: (it) => void (it.body['familyId'] = 'nothing') },
  },
  'axes and variant': {
    'an unknown variant': { code: 'variant_not_resolved', make: (it) => void (it.body['modelId'] = 'nothing') },
  },
  parameters: {
    'an unknown parameter': { code: 'invalid_parameters', make: (it) => void (it.body['parameters'] = { nothing: 1 }) },
  },
  inputs: {
    'an unknown input': { code: 'file_not_found', make: (it) => void (it.body['imageIds'] = ['file_nothing']) },
  },
  // The sandbox has a price for everything; unpriced.test.ts brings a family that has not.
  price: {},
  maxCredits: {
    'too low a maxCredits': { code: 'cost_above_limit', make: (it) => void (it.body['maxCredits'] = 0.99) },
  },
  'single ceiling': {
    'the single ceiling': {
      code: 'spend_limit_exceeded',
      limitKind: 'single',
      make: (it) => void (it.ceilings.singleLimitCredits = 0.5),
    },
  },
  'daily ceiling': {
    'the daily ceiling': { code: 'spend_limit_exceeded', limitKind: 'daily', make: (it) => void (it.ceilings.dailyLimitCredits = 0.5) },
  },
  'monthly ceiling': {
    'the monthly ceiling': {
      code: 'spend_limit_exceeded',
      limitKind: 'monthly',
      make: (it) => void (it.ceilings.monthlyLimitCredits = 0.5),
    },
  },
  credits: {
    'too few credits': { code: 'insufficient_credits', make: (it) => void (it.credits = 0) },
  },
  'open work': {
    'too many open generations': { code: 'too_many_open', make: (it) => void (it.app = it.app === open ? noRoom : it.app) },
  },
}

/** In the order in which they are found: the contract's, from stage to stage. */
const faults: Record<string, Fault> = Object.assign({}, ...stages.map((stage) => faultsOf[stage]))
const names = Object.keys(faults)
const pairs = names.flatMap((earlier, index) => names.slice(index + 1).map((later) => [earlier, later] as const))
/** A flood without keys is told of its rate instead. */
const exceptions = new Set(['no key and no requests left'])

const keys = new Map<string, Promise<string>>()

/** A key in that situation; those of requests that differ in themselves alone share one. */
function keyFor({ team, role, scopes, ceilings, credits, usedIdempotencyKey }: Situation): Promise<string> {
  const name = JSON.stringify({ team, role, scopes, ceilings, credits, usedIdempotencyKey })
  const key = keys.get(name) ?? makeKey({ team, role, scopes, ceilings, credits, usedIdempotencyKey })
  keys.set(name, key)
  return key
}

async function makeKey(it: Pick<Situation, 'team' | 'role' | 'scopes' | 'ceilings' | 'credits' | 'usedIdempotencyKey'>): Promise<string> {
  // The earlier start takes one credit, and no more than that is left where there are to be too few.
  const { team, user } = await aTeam(open.services, { credits: it.usedIdempotencyKey === undefined ? it.credits : it.credits + 1 })
  const asked = { teamId: team.id, userId: user.id, name: 'order' }
  if (it.usedIdempotencyKey !== undefined) {
    const first = await issueKey(operator, { ...asked, scopes: ['generations:write'] })
    const headers = { 'idempotency-key': it.usedIdempotencyKey }
    const start = await open.ask('POST /generations', { key: first.value, headers, body: { ...wellDone().body, prompt: 'the first' } })
    expect(start.status).toBe(201)
  }
  const { value } = await issueKey(operator, { ...asked, scopes: it.scopes, ...it.ceilings })
  if (it.role !== 'owner') await setTeamMember(operator, { teamId: team.id, userId: user.id, role: it.role })
  await updateTeam(operator, { id: team.id, ...it.team })
  return value
}

async function ask(it: Situation) {
  const key = await keyFor(it)
  const headers = { ...it.headers, ...(it.usedIdempotencyKey === undefined ? {} : { 'idempotency-key': it.usedIdempotencyKey }) }
  const body = JSON.stringify(it.body) + (it.oversized ? ' '.repeat(300_000) : '')
  return it.app.ask('POST /generations', { ...(it.withKey ? { key } : {}), headers, body })
}

test.each(stages)('the stage "%s" refuses with the codes that it names', (stage) => {
  for (const { code } of Object.values(faultsOf[stage])) expect(orderOfChecks[stage]).toContain(code)
})

test.each(names)('%s alone is told', async (name) => {
  const { code, limitKind, make } = faults[name] as Fault
  const situation = wellDone()
  make(situation)
  const { error } = (await ask(situation)).body
  expect(error).toMatchObject({ code, ...(limitKind ? { details: { limitKind } } : {}) })
})

test.each(pairs.filter(([earlier, later]) => !exceptions.has(`${earlier} and ${later}`)))(
  'of %s and %s the first is told',
  async (earlier, later) => {
    const situation = wellDone()
    for (const name of [earlier, later]) faults[name]?.make(situation)
    const { code, limitKind } = faults[earlier] as Fault
    const { error } = (await ask(situation)).body
    expect(error).toMatchObject({ code, ...(limitKind ? { details: { limitKind } } : {}) })
  },
)

test('a flood of requests without keys is refused with rate_limited', async () => {
  expect(await noRequests.ask('GET /account')).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
})
