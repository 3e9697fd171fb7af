import { afterAll, expect, test, vi } from 'vitest'
import { rotateKey } from '../../src/domain/access/keys/rotateKey.ts'
import { deleteUser } from '../../src/domain/access/people/deleteUser.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import type { Role } from '../../src/entities/Membership.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { openEventStream } from '../support/http/eventStream.ts'
import { aMember, aPersonContext } from '../support/people/sessions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const tool = aServiceContext(services)

/** A team whose owner issued a key, and two administrators. */
async function aTeamWithAdmins() {
  const { team, user: owner, key, value } = await aTeamWithKey(services)
  const [ada, bob] = [
    await aMember(services, { teamId: team.id, role: 'admin' }),
    await aMember(services, { teamId: team.id, role: 'admin' }),
  ]
  const rotate = async ({ id: userId }: { id: string }, overlapHours = 0) =>
    (await rotateKey(aPersonContext(services, { userId }), { id: key.id, overlapHours })).value
  const remove = ({ id: userId }: { id: string }) => removeTeamMember(tool, { teamId: team.id, userId })
  const give = ({ id: userId }: { id: string }, role: Role) => setTeamMember(tool, { teamId: team.id, userId, role })
  return { owner, ada, bob, value, rotate, remove, give }
}

/** What each value meets: `200`, or the refusal and what is missing. */
function verdicts(...values: string[]): Promise<string[]> {
  return Promise.all(
    values.map(async (key) => {
      const { status, body } = await app.ask('GET /account', { key })
      return status === 200
        ? '200'
        : `${status} ${body.error.code} ${String((body.error.details as { missing?: string } | undefined)?.missing ?? '')}`.trim()
    }),
  )
}

const gone = '403 team_required team'
const lowered = '403 team_required role'

test('the value that a removed administrator saw stops working, and the other value keeps working during the overlap', async () => {
  const { ada, value: first, rotate, remove } = await aTeamWithAdmins()
  const second = await rotate(ada, 24)
  expect(await verdicts(first, second)).toEqual(['200', '200'])
  await remove(ada)
  expect(await verdicts(first, second)).toEqual(['200', gone])
  const { body } = await app.ask('GET /account', { key: second })
  expect(body.error.message).toContain('The person who rotated this key and was shown this value has left the team.')
})

test("after another rotation by somebody else the new value works, and the previous value depends on its holder's role", async () => {
  const { ada, bob, rotate, remove } = await aTeamWithAdmins()
  const second = await rotate(ada)
  const third = await rotate(bob, 24)
  await remove(ada)
  expect(await verdicts(second, third)).toEqual([gone, '200'])
  await remove(bob)
  expect(await verdicts(second, third)).toEqual([gone, gone])
})

test.each([
  ['the issuer', ({ owner, rotate }: Awaited<ReturnType<typeof aTeamWithAdmins>>) => rotate(owner, 24)],
  ['the same person', ({ ada, rotate }: Awaited<ReturnType<typeof aTeamWithAdmins>>) => rotate(ada, 24)],
])("after %s rotated a value that an administrator saw, each value depends on its own holder's role", async (who, again) => {
  const made = await aTeamWithAdmins()
  const second = await made.rotate(made.ada)
  const third = await again(made)
  await made.remove(made.ada)
  expect(await verdicts(second, third)).toEqual([gone, who === 'the issuer' ? '200' : gone])
})

test('a value stops while its holder is an ordinary member, and works again when they get their role back', async () => {
  const { ada, value: first, rotate, give, remove } = await aTeamWithAdmins()
  const second = await rotate(ada, 24)
  await give(ada, 'member')
  expect(await verdicts(first, second)).toEqual(['200', lowered])
  await give(ada, 'owner')
  expect(await verdicts(first, second)).toEqual(['200', '200'])
  await remove(ada)
  await give(ada, 'admin')
  expect(await verdicts(first, second)).toEqual(['200', '200'])
})

test('a value stops for good when its holder is deleted', async () => {
  const { ada, value: first, rotate } = await aTeamWithAdmins()
  const second = await rotate(ada, 24)
  await deleteUser(tool, ada.id)
  expect(await verdicts(first, second)).toEqual(['200', gone])
})

test('without the issuer no value works', async () => {
  const { owner, ada, bob, value: first, rotate, give, remove } = await aTeamWithAdmins()
  await give(bob, 'owner')
  const second = await rotate(ada, 24)
  await remove(owner)
  expect(await verdicts(first, second)).toEqual([gone, gone])
})

test('the end of the overlap is returned only while the previous value works', async () => {
  const { ada, bob, rotate, give } = await aTeamWithAdmins()
  await rotate(ada)
  const third = await rotate(bob, 24)
  const told = async () => (await app.ask('GET /account', { key: third })).body.key.previousValueEndsAt
  expect(await told()).not.toBeNull()
  await give(ada, 'member')
  expect(await told()).toBeNull()
})

/** Work of the key, and one wait and one stream of each value that are open before `change` happens and the work ends. */
async function heldBy(values: string[], change: () => Promise<unknown>) {
  const [key = ''] = values
  const { body } = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const id = body.generationId
  const streams = await Promise.all(values.map((value) => openEventStream(`${app.origin}/api/v1/generations/${id}/events`, { key: value })))
  for (const stream of streams) expect(await stream.next()).toMatchObject({ data: { state: 'queued' } })
  const waits = values.map((value) => app.ask(`GET /generations/${id}?wait=60`, { key: value }))
  const inProgress = async () => {
    const { headers } = await app.ask('GET /account', { key })
    return Number(headers['x-concurrency-limit']) - Number(headers['x-concurrency-remaining']) - 1
  }
  await vi.waitFor(async () => expect(await inProgress()).toBe(2 * values.length), { timeout: 5000, interval: 10 })
  await change()
  await moves.fail(id)
  const answers = await Promise.all(waits)
  const told = await Promise.all(streams.map(async (stream) => (await stream.rest()).map(({ data }) => data.state)))
  return { waits: answers.map((answer) => answer.body.state ?? answer.body.error.code), told }
}

test('an open wait and an open stream end for a value whose holder was removed, and continue for other values', async () => {
  const { ada, value: first, rotate, remove } = await aTeamWithAdmins()
  const second = await rotate(ada, 24)
  const { waits, told } = await heldBy([first, second], () => remove(ada))
  expect(waits).toEqual(['failed', 'team_required'])
  expect(told).toEqual([['failed'], []])
})

test("a wait that began with a value that was replaced later depends on that value's holder", async () => {
  const { ada, bob, rotate, remove } = await aTeamWithAdmins()
  const second = await rotate(ada)
  const { waits } = await heldBy([second], async () => {
    await rotate(bob, 24)
    await remove(ada)
  })
  expect(waits).toEqual(['team_required'])
})
