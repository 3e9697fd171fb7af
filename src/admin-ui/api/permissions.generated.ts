// Generated from src/domain/access/permissions.ts by scripts/generate/generateUiTypes.ts. Do not edit.
import type { Role } from './viewer.ts'

/** The roles in a team that permit an action. */
export const permissions = {
  'team.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'team.setBudget': ['OWNER', 'ADMIN'],
  'team.setRetention': ['OWNER', 'ADMIN'],
  'team.setRuns': ['OWNER', 'ADMIN'],
  'personRuns.read': ['OWNER', 'ADMIN'],
  'team.delete': ['OWNER'],
  'team.setGroups': ['OWNER'],
  'members.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'members.change': ['OWNER', 'ADMIN'],
  'members.leave': ['OWNER', 'ADMIN', 'MEMBER'],
  'auditLog.read': ['OWNER', 'ADMIN'],
  'keys.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'keys.issue': ['OWNER', 'ADMIN'],
  'keys.manage': ['OWNER', 'ADMIN'],
  'agentKeys.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'agentKeys.issue': ['OWNER', 'ADMIN', 'MEMBER'],
  'agentKeys.manage': ['OWNER', 'ADMIN'],
  'webhooks.manage': ['OWNER', 'ADMIN'],
  'account.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'usage.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'catalog.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'families.switchForTeam': ['OWNER', 'ADMIN'],
  'generations.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'generations.readOrigin': ['OWNER', 'ADMIN', 'MEMBER'],
  'generations.estimate': ['OWNER', 'ADMIN', 'MEMBER'],
  'generations.start': ['OWNER', 'ADMIN', 'MEMBER'],
  'generations.end': ['OWNER', 'ADMIN'],
  'generations.endOwnRun': ['OWNER', 'ADMIN', 'MEMBER'],
  'files.read': ['OWNER', 'ADMIN', 'MEMBER'],
  'files.upload': ['OWNER', 'ADMIN', 'MEMBER'],
  'files.createUploadAddress': ['OWNER', 'ADMIN', 'MEMBER'],
} as const satisfies Record<string, readonly Role[]>

/** The roles that a person with a role may give and take. */
export const assignableRoles: Record<Role, readonly Role[]> = {
  OWNER: ['OWNER', 'ADMIN', 'MEMBER'],
  ADMIN: ['ADMIN', 'MEMBER'],
  MEMBER: [],
}
