import { askOperatorTo } from '../../../contract/refusals/askOperator.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { Membership, type Role } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import { lockOwner } from '../../lockOwner.ts'
import { findUserIdByEmail } from '../people/users.ts'
import { authorizeMemberChange } from './authorizeMemberChange.ts'
import { putMembership } from './membershipChanges.ts'
import { requireTeam } from './teams.ts'

export type NewMember = { teamId: string; email: string; role: Role }

/**
 * Adds a person with an account to a team, found by e-mail address, case-insensitive. A present member keeps their role, and `added` is
 * false. An unknown address gets no account: a person who could set somebody else's first password would control that address in every
 * team. Refusals: invalid_request at `teamId`, and at `email` for an unknown address; access_denied as {@link authorizeMemberChange}.
 * Locks: the team, the person (for share). Contract: docs/contract.md#teams-and-members.
 */
export async function addTeamMember(
  context: Context,
  { teamId, email, role }: NewMember,
): Promise<{ membership: Membership; added: boolean }> {
  await requireTeam(context, teamId, 'teamId')
  return await transaction(context, async (inside) => {
    // First, so that a caller without the permission does not learn which addresses have accounts.
    await authorizeMemberChange(inside, { teamId, userId: '', to: role })
    const userId = await requirePersonByEmail(inside, email)
    const present = await inside.em().findOne(Membership, { teamId, userId })
    if (present) return { membership: present, added: false }
    await lockOwner(inside, userId, 'email')
    return { membership: await putMembership(inside, { teamId, userId, role }), added: true }
  })
}

async function requirePersonByEmail(inside: Context, email: string): Promise<string> {
  const found = await findUserIdByEmail(inside, email)
  if (found !== undefined) return found
  throw invalidRequest({
    in: 'body',
    path: ['email'],
    code: 'not_allowed',
    message: `No account has this e-mail address. ${askOperatorTo('make one')} Then add the person here.`,
  })
}
