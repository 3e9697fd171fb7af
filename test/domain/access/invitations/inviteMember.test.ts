import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { listInvitations, readInvitation, revokeInvitation } from '../../../../src/domain/access/invitations/invitations.ts'
import { inviteMember, type SentInvitation } from '../../../../src/domain/access/invitations/inviteMember.ts'
import { pruneSignIns } from '../../../../src/domain/access/sessions/pruneSignIns.ts'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import type { Context } from '../../../../src/domain/context.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { aMember, aPersonContext } from '../../../support/people/sessions.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const page = { limit: 50, fromTheEnd: false }
const unknown = () => `${randomUUID()}@example.test`
const tokenOf = ({ url }: SentInvitation) => url?.split('#')[1] ?? ''

async function aTeamOf(role: 'owner' | 'admin' | 'member') {
  const { team } = await aTeam(services)
  const { id } = await aMember(services, { teamId: team.id, role })
  return { teamId: team.id, inviter: aPersonContext(services, { userId: id }) }
}

test('known and unknown addresses get the same answer from the same statements', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const statements: string[][] = []
  for (const email of [(await aUser(services)).email, unknown()]) {
    const ran: string[] = []
    const watched: Context = { ...inviter, pool: watchedPool(ran) }
    const { url, expiresAt } = await inviteMember(watched, { teamId, email, role: 'admin' })
    expect(url).toMatch(/^http:\/\/atelier\.test\/integrations\/invitation#ati_\w{49}$/)
    expect(expiresAt.getTime() - clock.now().getTime()).toBe(7 * 24 * 3_600_000)
    statements.push(ran)
  }
  expect(statements[0]?.length).toBeGreaterThan(3)
  expect(statements[0]).toEqual(statements[1])
})

/** The pool of the services, which notes the text of each statement. */
function watchedPool(ran: string[]): Context['pool'] {
  const { pool } = services
  const note = (statement: unknown) => {
    const { text = statement } = statement as { text?: unknown }
    ran.push(String(text))
  }
  const watch = <Value extends object>(target: Value): Value =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (name === 'query') note(given[0])
          const answer: unknown = Reflect.apply(value, of, given)
          return name === 'connect' && answer instanceof Promise ? answer.then((client: object) => watch(client)) : answer
        }
      },
    })
  return watch(pool)
}

test('the database stores no secret of a link', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const token = tokenOf(await inviteMember(inviter, { teamId, email: unknown(), role: 'member' }))
  const { rows } = await services.pool.query('select i::text as row from auth.invitations i')
  expect(rows.map(({ row }) => row).join()).not.toContain(token.slice(4))
})

test('a role is offered only by those who may give it, and only to an e-mail address', async () => {
  const { teamId, inviter } = await aTeamOf('admin')
  const denied = { code: 'access_denied', details: { cause: 'role' } }
  expect(await refused(inviteMember(inviter, { teamId, email: unknown(), role: 'owner' }))).toEqual(denied)
  const member = await aTeamOf('member')
  expect(await refused(inviteMember(member.inviter, { teamId: member.teamId, email: unknown(), role: 'member' }))).toEqual(denied)
  expect(await refused(inviteMember(member.inviter, { teamId, email: unknown(), role: 'member' }))).toEqual(denied)
  for (const email of ['', 'nobody', 'a b@example.test', `${'x'.repeat(300)}@example.test`, 'a\0@example.test', 'a@b\r\nBcc: c@d'])
    expect(await issueOf(inviteMember(inviter, { teamId, email, role: 'member' }))).toMatch(/^email: /)
})

test('a new invitation for an address replaces the open one', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const email = unknown()
  const first = tokenOf(await inviteMember(inviter, { teamId, email, role: 'member' }))
  const second = tokenOf(await inviteMember(inviter, { teamId, email: email.toUpperCase(), role: 'admin' }))
  expect(await refused(readInvitation(tool, first))).toMatchObject({ code: 'not_found' })
  expect(await readInvitation(tool, second)).toMatchObject({ role: 'admin', teamId })
  expect(await listInvitations(tool, teamId, page)).toHaveLength(1)
})

test('a revoked, an expired and a garbled link answer like one that never was', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const sent = await inviteMember(inviter, { teamId, email: unknown(), role: 'member' })
  const elsewhere = await aTeamOf('owner')
  expect(await revokeInvitation(elsewhere.inviter, { teamId: elsewhere.teamId, id: sent.invitation.id })).toBe(false)
  expect(await readInvitation(tool, tokenOf(sent))).toMatchObject({ teamId })
  expect(await revokeInvitation(inviter, { teamId, id: sent.invitation.id })).toBe(true)
  expect(await revokeInvitation(inviter, { teamId, id: sent.invitation.id })).toBe(false)

  const late = await inviteMember(inviter, { teamId, email: unknown(), role: 'member' })
  await clock.advance(7 * 24 * 3_600_000 - 1000)
  expect(await readInvitation(tool, tokenOf(late))).toMatchObject({ teamId })
  await clock.advance(1000)
  expect(await listInvitations(tool, teamId, page)).toEqual([])
  for (const token of [tokenOf(sent), tokenOf(late), `${tokenOf(late).slice(0, -1)}0`, 'ati_', '', "' or true --"])
    expect(await refused(readInvitation(tool, token))).toEqual({ code: 'not_found', details: undefined })
  await clock.advance(1)
  expect(await pruneSignIns(tool)).toBeGreaterThan(0)
})

test('a deleted team has no invitations', async () => {
  const { team } = await aTeam(services)
  const sent = await inviteMember(tool, { teamId: team.id, email: unknown(), role: 'owner' })
  await deleteTeam(tool, { teamId: team.id, name: team.name })
  expect(await refused(readInvitation(tool, tokenOf(sent)))).toMatchObject({ code: 'not_found' })
})

test('the people of a team send 50 invitations in a day, and tools have no limit', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  await services.pool.query(
    `insert into audit_entries (at, team_id, actor_kind, action) select present(), $1, 'person', 'member.invited' from generate_series(1, 50)`,
    [teamId],
  )
  expect(await refused(inviteMember(inviter, { teamId, email: unknown(), role: 'member' }))).toMatchObject({ code: 'rate_limited' })
  expect(await inviteMember(tool, { teamId, email: unknown(), role: 'member' })).toMatchObject({ invitation: { invitedBy: null } })
  await clock.advance(24 * 3_600_000)
  expect(await inviteMember(inviter, { teamId, email: unknown(), role: 'member' })).toMatchObject({ url: expect.any(String) })
})

test('a mailed link is shown to nobody, and is withdrawn when the mail server refuses it', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const sent: { to: string; subject: string; text: string }[] = []
  const mailing = { ...inviter, mailer: { send: async (mail: (typeof sent)[number]) => void sent.push(mail) } }
  const email = unknown()
  expect(await inviteMember(mailing, { teamId, email, role: 'member' })).toMatchObject({ url: null, invitation: { mailed: true } })
  expect(sent).toEqual([expect.objectContaining({ to: email })])
  const token = /#(ati_\w+)/.exec(sent[0]?.text ?? '')?.[1] ?? ''
  expect(await readInvitation(tool, token)).toMatchObject({ email })

  const failing = { ...inviter, mailer: { send: () => Promise.reject(new Error('550 no')) } }
  const refusal = await refused(inviteMember(failing, { teamId, email: unknown(), role: 'member' }))
  expect(refusal.code).toBe('service_unavailable')
  expect(await listInvitations(tool, teamId, page)).toHaveLength(1)
})

test('a former link works until the mail server has taken the new one', async () => {
  const { teamId, inviter } = await aTeamOf('owner')
  const email = unknown()
  const former = tokenOf(await inviteMember(inviter, { teamId, email, role: 'member' }))
  const failing = { ...inviter, mailer: { send: () => Promise.reject(new Error('421 later')) } }
  expect((await refused(inviteMember(failing, { teamId, email, role: 'admin' }))).code).toBe('service_unavailable')
  expect(await readInvitation(tool, former)).toMatchObject({ email, role: 'member' })

  const readWhileSending: unknown[] = []
  const mailing = { ...inviter, mailer: { send: async () => void readWhileSending.push(await readInvitation(tool, former)) } }
  await inviteMember(mailing, { teamId, email, role: 'admin' })
  expect(readWhileSending).toEqual([expect.objectContaining({ email })])
  expect((await refused(readInvitation(tool, former))).code).toBe('not_found')
  expect(await listInvitations(tool, teamId, page)).toMatchObject([{ email, role: 'admin' }])
})
