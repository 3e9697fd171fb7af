import type { AuditAction, AuditEntry } from './auditQuery.ts'

/** The label of each action. Actions of persons and of the operator never appear in a team's log. */
const words: Record<AuditAction, string> = {
  TEAM_CREATED: 'Team created',
  TEAM_UPDATED: 'Team changed',
  TEAM_DELETED: 'Team deleted',
  TEAM_EXPORTED: 'Team exported',
  TEAM_RETENTION_SET: 'Retention changed',
  TEAM_RUNS_SET: 'Runs set',
  TEAM_GROUP_SET: 'Group set',
  MEMBER_INVITED: 'Member invited',
  MEMBER_ADDED: 'Member added',
  MEMBER_ROLE_CHANGED: 'Role changed',
  MEMBER_REMOVED: 'Member removed',
  INVITATION_REVOKED: 'Invitation revoked',
  KEY_ISSUED: 'Key issued',
  KEY_UPDATED: 'Key changed',
  KEY_ROTATED: 'Key rotated',
  KEY_REVOKED: 'Key revoked',
  WEBHOOK_CREATED: 'Webhook added',
  WEBHOOK_UPDATED: 'Webhook changed',
  WEBHOOK_DELETED: 'Webhook deleted',
  WEBHOOK_SECRET_ROTATED: 'Webhook secret rotated',
  WEBHOOK_TESTED: 'Test event sent',
  WEBHOOK_SENT_AGAIN: 'Deliveries sent again',
  CALLBACK_SECRET_ROTATED: 'Callback secret rotated',
  ALERT_SUBSCRIPTION_CREATED: 'Alert added',
  ALERT_SUBSCRIPTION_UPDATED: 'Alert changed',
  ALERT_SUBSCRIPTION_DELETED: 'Alert deleted',
  ALERT_SUBSCRIPTION_SECRET_ROTATED: 'Alert secret rotated',
  ALERT_SUBSCRIPTION_TESTED: 'Test alert sent',
  FAMILY_SWITCHED: 'Family switched',
  FAMILY_SET_FOR_ALL: 'Family switched for all',
  FAMILY_ACCESS_SET: 'Family access set',
  CREDITS_GRANTED: 'Credits added',
  CREDITS_ADJUSTED: 'Credits adjusted',
  SERVICE_TOKEN_CREATED: 'Service token made',
  SERVICE_TOKEN_REVOKED: 'Service token revoked',
  CATALOG_RELOADED: 'Catalog loaded again',
  USER_CREATED: 'Account made',
  USER_UPDATED: 'Account changed',
  USER_DELETED: 'Account deleted',
  USER_SIGNED_IN: 'Signed in',
  USER_SIGNED_OUT: 'Signed out',
  USER_SESSION_ENDED: 'Session ended',
  USER_PASSWORD_CHANGED: 'Password changed',
  USER_SIGN_IN_REFUSED: 'Sign-in refused',
  GENERATION_CANCELLED: 'Generation cancelled',
  RESULT_DELETED: 'Result deleted',
  FILE_DELETED: 'File deleted',
}

const teamActions = Object.entries(words).filter(([action]) => !/^USER_|^SERVICE_TOKEN_|^CATALOG_|_FOR_ALL$/.test(action)) as [
  AuditAction,
  string,
][]

export const actions = teamActions.map(([action]) => action)
export const actionOptions = teamActions.map(([value, label]) => ({ value, label }))

export function actionLabel(action: AuditAction): string {
  return words[action]
}

/** The actor by current name, or what is known of a deleted one. */
export function actorLabel({
  actorKind,
  actorId,
  actorName,
  tool,
}: Pick<AuditEntry, 'actorKind' | 'actorId' | 'actorName' | 'tool'>): string {
  const toolName = actorName ?? tool
  switch (actorKind) {
    case 'PERSON':
      return actorName ?? 'Deleted person'
    case 'KEY':
      return `Key ${actorName ?? actorId ?? ''}`
    case 'SERVICE':
      return `Operator${toolName === null ? '' : ` (${toolName})`}`
    case 'SYSTEM':
      return 'Atelier'
  }
}

/** The subject of the action, by name if there is one. */
export function subjectLabel({ subjectId, subjectName }: Pick<AuditEntry, 'subjectId' | 'subjectName'>): string {
  return subjectName ?? subjectId ?? '–'
}

export type FieldChange = { name: string; before: string; after: string }

/** The settings that an action changed, before and after. */
export function fieldChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const withoutValues = Array.isArray(is['changed']) ? is['changed'].map(String) : []
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => name !== 'changed')
  return [
    ...names.map((name) => ({ name: fieldLabel(name), before: formatValue(was[name]), after: formatValue(is[name]) })),
    ...withoutValues.map((name) => ({ name: fieldLabel(name), before: 'not kept', after: 'changed' })),
  ]
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** Converts `dailyLimitCredits` to `Daily limit credits`. */
function fieldLabel(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
