import type { CurrentTeam, Role } from '../../api/viewer.ts'

export const roleWords: Record<Role, { name: string; one: string; may: string }> = {
  OWNER: { name: 'Owner', one: 'an owner', may: 'Everything, with the roles of all.' },
  ADMIN: { name: 'Administrator', one: 'an administrator', may: 'Keys, webhooks and members; not the role of owner.' },
  MEMBER: { name: 'Member', one: 'a member', may: 'Sees history, usage, catalog and team, and connects an agent of their own.' },
}

/**
 * The roles that somebody of that role may give; the server decides, this only offers no more than it takes.
 * Contract: docs/contract.md#roles.
 */
export function rolesToGive(own: Role): Role[] {
  if (own === 'OWNER') return ['OWNER', 'ADMIN', 'MEMBER']
  return own === 'ADMIN' ? ['ADMIN', 'MEMBER'] : []
}

/** Whether somebody of that role may change a member of another. */
export function mayChangeRole(own: CurrentTeam['role'], of: Role): boolean {
  return rolesToGive(own).includes(of)
}

/** How many keys stop with a change: all with their issuer, those that open more than the door for agents with the right to manage. */
export function keysThatStop(
  { role, workingKeys, restKeys }: { role: Role; workingKeys: number; restKeys: number },
  to: Role | null,
): number {
  if (to === null) return workingKeys
  return role !== 'MEMBER' && to === 'MEMBER' ? restKeys : 0
}

/** What becomes of keys, in words. */
export function keysWords(count: number): string {
  if (count === 0) return 'No key of the team stops working.'
  const those = count === 1 ? 'The 1 key that they issued for the team stops' : `The ${count} keys that they issued for the team stop`
  return `${those} working at once. Work that is under way runs on.`
}
