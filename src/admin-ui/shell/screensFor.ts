import { permissions } from '../api/permissions.generated.ts'
import type { Role } from '../api/viewer.ts'
import { type TeamScreenId, teamScreens } from '../paths.ts'

/** Whether that role permits the action. The server decides; the UI hides what it would refuse. Contract: docs/contract.md#roles. */
export function roleMay(role: Role, action: keyof typeof permissions): boolean {
  return permissions[action].some((each) => each === role)
}

/** Whether that role manages the team: its keys, webhooks and members. */
export function mayManage(role: Role): boolean {
  return roleMay(role, 'keys.manage')
}

/**
 * The screens for a role, in the order of the navigation.
 * Contract: docs/contract.md#roles.
 */
export function screensFor(role: Role): TeamScreenId[] {
  const ids = Object.keys(teamScreens) as TeamScreenId[]
  return ids.filter((id) => roleMay(role, teamScreens[id].action))
}
