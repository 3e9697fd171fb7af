import { assignableRoles } from '../../api/permissions.generated.ts'
import type { CurrentTeam, Role } from '../../api/viewer.ts'
import { mayManage } from '../../shell/screensFor.ts'
import type { Member } from './teamQueries.ts'

export const roleLabels: Record<Role, { name: string; one: string; may: string }> = {
  OWNER: { name: 'Owner', one: 'an owner', may: 'Everything, with the roles of all.' },
  ADMIN: { name: 'Administrator', one: 'an administrator', may: 'Keys, webhooks and members; not the role of owner.' },
  MEMBER: { name: 'Member', one: 'a member', may: 'Sees history, usage, catalog and team, and connects an agent of their own.' },
}

/** Whether a person with the role `own` may change a member with the role `of`. Contract: docs/contract.md#roles. */
export function mayChangeRole(own: CurrentTeam['role'], of: Role): boolean {
  return assignableRoles[own].includes(of)
}

/**
 * What a change of a member's role, or their removal, stops or leaves behind. `issuedKeys`: so many that they issued stop. `shownKeys`: keys
 * that others issued, the value of which they were shown; that value stops. `shownWebhooks`: webhooks whose signing secret they still know.
 */
export type Consequences = Pick<Member, 'shownKeys'> & { issuedKeys: number; shownWebhooks: NonNullable<Member['shownWebhooks']> }

/** All keys stop with their issuer; what opens more than the door for agents stops also with the right to manage. */
export function consequencesOf({ role, workingKeys, restKeys, shownKeys, shownWebhooks }: Member, to: Role | null): Consequences {
  const losesRight = mayManage(role) && (to === null || !mayManage(to))
  return {
    issuedKeys: to === null ? workingKeys : losesRight ? restKeys : 0,
    // The value that a member was shown while they managed the team has stopped already.
    shownKeys: losesRight ? shownKeys : [],
    shownWebhooks: losesRight || to === null ? (shownWebhooks ?? []) : [],
  }
}

export function isWithoutConsequences({ issuedKeys, shownKeys, shownWebhooks }: Consequences): boolean {
  return issuedKeys === 0 && shownKeys.length === 0 && shownWebhooks.length === 0
}
