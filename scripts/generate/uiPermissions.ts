import { type Action, assignableRoles, permissionOf, permissions } from '../../src/domain/access/permissions.ts'
import { type Role, roles } from '../../src/entities/Membership.ts'

/** Generates `src/admin-ui/api/permissions.generated.ts`: the permissions that the admin UI needs, with GraphQL names. */
export function uiPermissions(): string {
  const actions = (Object.keys(permissions) as Action[]).flatMap((action) => {
    const allowed = permissionOf(action).roles
    return allowed ? [`  '${action}': ${listOf(allowed)},`] : []
  })
  const assignable = roles.map((role) => `  ${role.toUpperCase()}: ${listOf(assignableRoles[role])},`)
  return [
    '// Generated from src/domain/access/permissions.ts by scripts/generate/generateUiTypes.ts. Do not edit.',
    "import type { Role } from './viewer.ts'",
    '',
    '/** The roles in a team that permit an action. */',
    'export const permissions = {',
    ...actions,
    '} as const satisfies Record<string, readonly Role[]>',
    '',
    '/** The roles that a person with a role may give and take. */',
    'export const assignableRoles: Record<Role, readonly Role[]> = {',
    ...assignable,
    '}',
    '',
  ].join('\n')
}

function listOf(names: readonly Role[]): string {
  return `[${names.map((name) => `'${name.toUpperCase()}'`).join(', ')}]`
}
