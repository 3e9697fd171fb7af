import type { AuditAction } from '../entities/AuditEntry.ts'
import type { Context } from './context.ts'
import { invariant } from './invariant.ts'
import { statement } from './sql.ts'

/**
 * Properties of a subject: identifiers, states and numbers; a group of the identity provider counts as an identifier. Never secrets, names,
 * addresses or texts that users wrote.
 */
export type AuditFields = Readonly<Record<string, string | number | boolean | Date | null | readonly string[] | undefined>>

export type AuditChange = {
  action: AuditAction
  /** The team whose log gets the entry; absent for actions without a team. */
  teamId?: string | null | undefined
  subjectId?: string | null | undefined
  before?: AuditFields | undefined
  after?: AuditFields | undefined
}

const write = statement<never>(
  'note_act',
  `insert into audit_entries (at, team_id, actor_kind, actor_id, tool, action, subject_id, before, after, address, user_agent, request_id)
     values (present(), $1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11)`,
)

/**
 * Writes an audit entry in the transaction of the change, so that neither exists without the other. Call it only when something has
 * changed.
 */
export async function recordAudit(inside: Context, { action, teamId, subjectId, before, after }: AuditChange): Promise<void> {
  const { actor, origin } = inside
  invariant(inside.isTransaction, 'an audit entry is written in the transaction of its change')
  await inside.sql.all(write, [
    teamId ?? null,
    actor.kind,
    actorIdOf(actor),
    actor.kind === 'service' ? (origin?.tool ?? null) : null,
    action,
    subjectId ?? null,
    before ? JSON.stringify(before) : null,
    after ? JSON.stringify(after) : null,
    origin?.address ?? null,
    origin?.userAgent ?? null,
    origin?.requestId ?? null,
  ])
}

/**
 * Returns the changed fields before and after a change; undefined when no field changed. For `redacted` fields the log records only that
 * they changed.
 */
export function changesBetween<Fields extends AuditFields>(
  before: Fields,
  after: Partial<Fields>,
  redacted: readonly string[] = [],
): { before: AuditFields; after: AuditFields } | undefined {
  const changed = Object.keys(after).filter((name) => plain(before[name]) !== plain(after[name]))
  if (changed.length === 0) return undefined
  const logged = changed.filter((name) => !redacted.includes(name))
  const changedRedacted = changed.filter((name) => redacted.includes(name))
  return {
    before: Object.fromEntries(logged.map((name) => [name, before[name]])),
    after: {
      ...Object.fromEntries(logged.map((name) => [name, after[name]])),
      ...(changedRedacted.length > 0 ? { changed: changedRedacted } : {}),
    },
  }
}

function plain(value: AuditFields[string]): string {
  return JSON.stringify(value ?? null)
}

function actorIdOf(actor: Context['actor']): string | null {
  if (actor.kind === 'key') return actor.keyId
  if (actor.kind === 'service') return actor.token?.id ?? null
  return actor.kind === 'person' ? actor.userId : null
}
