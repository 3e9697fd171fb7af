import type { Scope } from '../../entities/ApiKey.ts'
import type { Role } from '../../entities/Membership.ts'

/** The callers that may do one action. Internal tools, with the service token, may do every action. */
type Permission = {
  /** Signed-in people with one of these roles in the team that owns the object. */
  roles?: readonly Role[]
  /** The signed-in person who owns the object: their account, their history, a key that they issued. */
  own?: true
  /** Keys with this scope, for objects of their own team or person. Keys over MCP need the scope `mcp` instead. */
  scope?: Scope
  /** Keys over REST with this scope, for objects of the team of the key. */
  teamScope?: Scope
}

const members = ['owner', 'admin', 'member'] as const
const managers = ['owner', 'admin'] as const
const owners = ['owner'] as const
const toolsOnly = {}

/**
 * The one table of permissions. The schema's authorization, the domain's checks inside transactions and the admin UI read it; the SQL
 * function `manages_team` repeats the roles of `keys.manage`, which a test compares. Contract: docs/contract.md#roles.
 */
export const permissions = {
  // Teams and their members. Which roles a person may assign is in `assignableRoles`.
  'team.read': { roles: members },
  'team.list': toolsOnly,
  'team.create': toolsOnly,
  'team.update': toolsOnly,
  'team.setBudget': { roles: managers },
  'team.setRetention': { roles: managers },
  'team.setRuns': { roles: managers },
  // What a person may run and has spent.
  'personRuns.read': { roles: managers, own: true },
  'team.delete': { roles: owners },
  // Groups of the identity provider may give every role, so only owners see and set them.
  'team.setGroups': { roles: owners },
  'members.read': { roles: members, own: true },
  'members.change': { roles: managers },
  'members.add': toolsOnly,
  // Removing another member is 'members.change', which `authorizeMemberChange` checks.
  'members.leave': { roles: members },
  'auditLog.read': { roles: managers },
  'auditLog.readAll': toolsOnly,

  'serviceTokens.manage': toolsOnly,

  // People.
  'person.read': { own: true },
  'person.endSessions': { own: true },
  'person.list': toolsOnly,
  'person.create': toolsOnly,
  'person.update': toolsOnly,
  'person.delete': toolsOnly,

  // Keys. `agentKeys` have only the scope `mcp`. A key works while its issuer may still issue such a key. If somebody other than the issuer
  // rotated the key, the new value works only while that person may manage keys.
  // What a key may give is bounded by `requireWithinRights`.
  'keys.read': { roles: members, teamScope: 'keys:write' },
  'keys.issue': { roles: managers, teamScope: 'keys:write' },
  'keys.manage': { roles: managers, teamScope: 'keys:write' },
  'agentKeys.read': { roles: members, own: true, teamScope: 'keys:write' },
  'agentKeys.issue': { roles: members, own: true, teamScope: 'keys:write' },
  'agentKeys.manage': { roles: managers, own: true, teamScope: 'keys:write' },

  // Webhooks.
  'webhooks.manage': { roles: managers, teamScope: 'webhooks:write' },

  // Credits.
  'account.read': { roles: members, own: true, scope: 'account:read' },
  'usage.read': { roles: members, scope: 'account:read' },
  'credits.grant': toolsOnly,
  'credits.adjust': toolsOnly,

  // Catalog.
  'catalog.reload': toolsOnly,
  'catalog.read': { roles: members, own: true, scope: 'catalog:read' },
  'families.switchForTeam': { roles: managers },
  'families.switchForAll': toolsOnly,
  'families.grantAccess': toolsOnly,

  // Generations and files. A key over MCP may end other members' work only if its issuer has a role of 'generations.end'.
  'generations.read': { roles: members, own: true, scope: 'generations:read' },
  'generations.readOrigin': { roles: members, own: true },
  'generations.list': { scope: 'generations:read' },
  'generations.estimate': { roles: members, own: true, scope: 'generations:read' },
  'generations.quote': { scope: 'generations:read' },
  // Of the roles, members start only while the team permits it, which `requireMayRun` checks.
  'generations.start': { roles: members, scope: 'generations:write' },
  'generations.end': { roles: managers, own: true, scope: 'generations:write' },
  // What the person started in the admin UI.
  'generations.endOwnRun': { roles: members },
  'generations.preview': { scope: 'generations:read' },
  'editorGenerations.record': toolsOnly,
  'files.read': { roles: members },
  'files.write': { scope: 'files:write' },
  // As 'generations.start'.
  'files.upload': { roles: members, scope: 'files:write' },
  'files.createUploadAddress': { roles: members },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof permissions

/** The roles that a person with a role may give and take. */
export const assignableRoles: Record<Role, readonly Role[]> = { owner: members, admin: ['admin', 'member'], member: [] }

export function permissionOf(action: Action): Permission {
  return permissions[action]
}

/** Whether a role in the owning team is enough for the action. No role (`null`) never is. */
export function roleMay(role: Role | null | undefined, action: Action): boolean {
  return Boolean(role && permissionOf(action).roles?.includes(role))
}
