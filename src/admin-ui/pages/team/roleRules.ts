import { assignableRoles } from '../../api/permissions.generated.ts'
import type { CurrentTeam, Role } from '../../api/viewer.ts'
import { mayManage } from '../../shell/screensFor.ts'
import type { Member } from './teamQueries.ts'

export const roleLabels: Record<Role, { name: string; one: string; may: string }> = {
  OWNER: { name: 'Owner', one: 'an owner', may: 'Everything, including all roles.' },
  ADMIN: { name: 'Administrator', one: 'an administrator', may: 'Keys, webhooks and members, except owners.' },
  MEMBER: { name: 'Member', one: 'a member', may: 'History, usage, catalog and team, and their own agents.' },
}

/** Every role, for a selector. */
export const roleOptions = assignableRoles.OWNER.map((value) => ({ value, label: roleLabels[value].name }))

/** Whether a person with the role `own` may change a member with the role `of`. Contract: docs/contract.md#roles. */
export function mayChangeRole(own: CurrentTeam['role'], of: Role): boolean {
  return assignableRoles[own].includes(of)
}

/**
 * The consequences of a role change or a removal. `issuedKeys`: the number of keys that they issued, which stop. `shownKeys`: keys of
 * others with a value that was shown to them; that value stops. The other fields are signing secrets that were shown to them, which they
 * still have.
 */
export type Consequences = Pick<Member, 'shownKeys'> & {
  issuedKeys: number
  shownWebhooks: NonNullable<Member['shownWebhooks']>
  shownAlertSubscriptions: NonNullable<Member['shownAlertSubscriptions']>
  sawCallbackSecret: boolean
}

/** All keys stop when their issuer leaves. Keys with REST scopes also stop when the issuer may no longer manage keys. */
export function consequencesOf(member: Member, to: Role | null): Consequences {
  const { role, workingKeys, restKeys, shownKeys, shownWebhooks, shownAlertSubscriptions, sawCallbackSecret } = member
  const losesRight = mayManage(role) && (to === null || !mayManage(to))
  const losesSecrets = losesRight || to === null
  return {
    issuedKeys: to === null ? workingKeys : losesRight ? restKeys : 0,
    // A value that was shown to a former manager has already stopped.
    shownKeys: losesRight ? shownKeys : [],
    shownWebhooks: losesSecrets ? (shownWebhooks ?? []) : [],
    shownAlertSubscriptions: losesSecrets ? (shownAlertSubscriptions ?? []) : [],
    sawCallbackSecret: losesSecrets && sawCallbackSecret === true,
  }
}

export function isWithoutConsequences(consequences: Consequences): boolean {
  const { issuedKeys, shownKeys, shownWebhooks, shownAlertSubscriptions, sawCallbackSecret } = consequences
  const shown = [...shownKeys, ...shownWebhooks, ...shownAlertSubscriptions]
  return issuedKeys === 0 && shown.length === 0 && !sawCallbackSecret
}
