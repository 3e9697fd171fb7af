import type { Role } from '../api/viewer.ts'
import { type TeamScreenId, teamScreens } from '../paths.ts'

export function mayManage(role: Role): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}

/**
 * What somebody of that role sees of a team, in the order of the navigation; the first is where they begin.
 * Contract: docs/contract.md#roles.
 */
export function screensFor(role: Role): TeamScreenId[] {
  const ids = Object.keys(teamScreens) as TeamScreenId[]
  return ids.filter((id) => teamScreens[id].for === 'members' || mayManage(role))
}
