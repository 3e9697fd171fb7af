import { buildSchema } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { printedSchema } from '../../../src/schema/schema.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'
import { loopback } from '../../support/webhooks/webhooks.ts'
import { aFullTeam, callersOf, documentFor, restoreDeleted, withNames } from '../roleCallers.ts'

const { services, close } = await testServices({ settings: loopback })
const own = await aTeamWithKey(services)
const names = await aFullTeam(services, own)
await restoreDeleted(services, names)
const callers = await callersOf(services, own, await aTeamWithKey(services))
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

/** Mutations without an audit entry, and the reason. */
const unlogged: Record<string, string> = {
  startGeneration: 'the history is its log',
  startBatch: 'the history is its log',
  quoteGeneration: 'a question',
  createUploadAddress: 'changes nothing until the upload',
  cancelGeneration: 'the history is its log',
  changePassword: 'internal tools do not call it; its own test sees the entry',
  setTimeZone: 'internal tools do not call it; its own test sees the entry',
  uploadFile: 'the file is its own entry until it is deleted',
  recordEditorGeneration: 'the history is its log',
  endEditorGeneration: 'the history is its log',
}

/** Documents for mutations whose usual document changes nothing. */
const changing: Record<string, string> = {
  updateWebhookSubscription: 'mutation { it: updateWebhookSubscription(input: { id: "HOOK", events: [GENERATION_FAILED] }) { id } }',
  deleteResult: 'mutation { it: deleteResult(id: "READY") { generationId } }',
}

/** The selection for each type of response. */
const selections = [
  '{ id }',
  '{ apiKey { id } }',
  '{ subscription { id } }',
  '{ membership { role } }',
  '{ invitation { id } }',
  '{ signingSecret }',
  '{ role }',
  '{ value }',
  '{ creditsAvailable }',
  '{ fileId }',
  '',
]

const mutations = Object.keys(buildSchema(printedSchema()).getMutationType()?.getFields() ?? {})

async function newest(): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>('select coalesce(max(id), 0)::text as id from audit_entries')
  return rows[0]?.id ?? ''
}

async function carryOut(mutation: string): Promise<void> {
  const tries = changing[mutation]
    ? [withNames(changing[mutation], names)]
    : selections.map((selection) => documentFor(`Mutation.${mutation}`, names, selection))
  const codes: string[] = []
  for (const document of tries) {
    const answer = await ask(document)
    if (answer.errors.length === 0) return
    codes.push(...answer.errors.map(({ message }) => message))
  }
  throw new Error(`${mutation}: ${codes.join('; ')}`)
}

test('every mutation writes an audit entry, or is in the list of exceptions', async () => {
  // In an order in which each mutation finds its object.
  const last = ['deleteWebhookSubscription', 'rotateApiKey', 'revokeApiKey', 'removeTeamMember']
  const logged = mutations.filter((each) => !(each in unlogged) && !last.includes(each))
  const silent: string[] = []
  for (const mutation of [
    ...logged.toSorted((left, right) => Number(left === 'redeliverFailed') - Number(right === 'redeliverFailed')),
    ...last,
  ]) {
    if (mutation === 'redeliverFailed')
      await services.pool.query(`update webhook_deliveries set state = 'failed', next_attempt_at = null, retries_left = null`)
    const before = await newest()
    await carryOut(mutation)
    if ((await newest()) === before) silent.push(mutation)
  }
  expect(silent).toEqual([])
  expect(Object.keys(unlogged).filter((each) => !mutations.includes(each))).toEqual([])
  const { rows } = await services.pool.query<{ text: string }>('select string_agg(e::text, chr(10)) as text from audit_entries e')
  const text = rows[0]?.text ?? ''
  for (const secret of [
    own.key.prefix,
    own.value,
    own.user.email,
    own.user.name,
    own.team.name,
    'whsec',
    'new@example.test',
    'guest@example.test',
    names['ADDRESS'] ?? '',
  ])
    expect(text).not.toContain(secret)
})

test('owners and administrators read only the log of their team, by pages and filters', async () => {
  const document = withNames('{ team(id: "TEAM") { auditLog(first: 2) { pageInfo { hasNextPage endCursor } nodes { teamId } } } }', names)
  const page = (await callers.admin(document)).data as {
    team: { auditLog: { pageInfo: { endCursor: string }; nodes: { teamId: string }[] } }
  }
  expect(page.team.auditLog.nodes).toEqual([{ teamId: own.team.id }, { teamId: own.team.id }])
  const next = `{ team(id: "${own.team.id}") { auditLog(first: 50, after: "${page.team.auditLog.pageInfo.endCursor}") { nodes { id teamId action } } } }`
  const rest = (await callers.owner(next)).data as { team: { auditLog: { nodes: { teamId: string; action: string }[] } } }
  expect(new Set(rest.team.auditLog.nodes.map(({ teamId }) => teamId))).toEqual(new Set([own.team.id]))
  expect(rest.team.auditLog.nodes.map(({ action }) => action)).toContain('CREDITS_GRANTED')
  const bad = await ask(`{ auditLog(after: "nonsense") { nodes { id } } }`)
  expect(bad.errors[0]?.extensions.code).toBe('invalid_cursor')
})

test('the header names the tool, and an invalid name is omitted', async () => {
  const create = 'mutation { createTeam(input: { name: "Named" }) { id } }'
  for (const [tool, kept] of [
    ['billing 2.1 (ada@example.test)', null],
    ['billing 2.1', 'billing 2.1'],
  ] as const) {
    const { data } = await ask(create, {}, { 'x-atelier-tool': tool, 'user-agent': 'x'.repeat(500) })
    const { id } = (data ?? {})['createTeam'] as { id: string }
    const { auditLog } = await dataOf<{ auditLog: { nodes: unknown[] } }>(
      `{ auditLog(teamId: "${id}") { nodes { actorKind tool action userAgent requestId address } } }`,
    )
    expect(auditLog.nodes).toEqual([
      {
        actorKind: 'SERVICE',
        tool: kept,
        action: 'TEAM_CREATED',
        userAgent: 'x'.repeat(200),
        requestId: expect.stringMatching(/^req_/),
        address: '127.0.0.1',
      },
    ])
  }
})
