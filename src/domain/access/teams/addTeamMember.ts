import { askOperatorTo } from '../../../contract/refusals/askOperator.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { Membership, type Role } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { authorizeMemberChange } from './authorizeMemberChange.ts'
import { requireTeam } from './teams.ts'

export type NewMember = { teamId: string; email: string; role: Role }

const findByEmail = statement<{ id: string }>('user_by_email', 'select id from users where lower(email) = lower($1) and deleted_at is null')

/**
 * Puts somebody who has an account into a team, found by their e-mail address, letter case apart. Who is in it already keeps their role:
 * `added` is false then. No account is made here: whoever could set a stranger's first password would own that address in every team.
 * Refusals: invalid_request at `teamId` or, where nobody has the address, at `email`; access_denied as {@link authorizeMemberChange}.
 * Locks: the team. Contract: docs/contract.md#teams-and-members.
 */
export async function addTeamMember(
  context: Context,
  { teamId, email, role }: NewMember,
): Promise<{ membership: Membership; added: boolean }> {
  await requireTeam(context, teamId, 'teamId')
  return await transaction(context, async (inside) => {
    // What the caller may do at all comes before who has an account.
    await authorizeMemberChange(inside, { teamId, userId: '', to: role })
    const userId = await requirePersonByEmail(inside, email)
    const present = await inside.em().findOne(Membership, { teamId, userId })
    if (present) return { membership: present, added: false }
    const membership = inside.em().create(Membership, { teamId, userId, role, createdAt: context.clock.now() })
    await recordAudit(inside, { action: 'member.added', teamId, subjectId: userId, after: { role } })
    return { membership, added: true }
  })
}

async function requirePersonByEmail(inside: Context, email: string): Promise<string> {
  // No address holds a NUL, and the database takes none.
  const found = email.includes('\0') ? undefined : await inside.sql.one(findByEmail, [email.trim()])
  if (found) return found.id
  throw invalidRequest({
    in: 'body',
    path: ['email'],
    code: 'not_allowed',
    message: `Nobody has an account with this e-mail address. ${askOperatorTo('make one')} Then add them here.`,
  })
}
