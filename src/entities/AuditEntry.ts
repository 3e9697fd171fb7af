/** Every audited action. Generations and uploads by API keys are not audited. */
export const auditActions = [
  'team.created',
  'team.updated',
  'team.deleted',
  'team.exported',
  'team.retention_set',
  'team.runs_set',
  'team.group_set',
  'member.invited',
  'member.added',
  'member.role_changed',
  'member.removed',
  'invitation.revoked',
  'key.issued',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.sent_again',
  'callback_secret.rotated',
  'alert_subscription.created',
  'alert_subscription.updated',
  'alert_subscription.deleted',
  'alert_subscription.secret_rotated',
  'alert_subscription.tested',
  'family.switched',
  'family.set_for_all',
  'family.access_set',
  'credits.granted',
  'credits.adjusted',
  'service_token.created',
  'service_token.revoked',
  'catalog.reloaded',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.signed_in',
  'user.signed_out',
  'user.session_ended',
  'user.password_changed',
  'user.sign_in_refused',
  'generation.cancelled',
  'result.deleted',
  'file.deleted',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditActorKinds = ['person', 'key', 'service', 'system'] as const
export type AuditActorKind = (typeof auditActorKinds)[number]

/** One entry of the audit log. */
export type AuditEntry = {
  id: string
  at: Date
  teamId: string | null
  actorKind: AuditActorKind
  /** Identifier of the person, the key or the named service token. */
  actorId: string | null
  /** The name that a tool with the service token gives. */
  tool: string | null
  action: AuditAction
  subjectId: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  address: string | null
  userAgent: string | null
  requestId: string | null
}
