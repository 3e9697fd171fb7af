import type { AuditAction } from '../entities/AuditEntry.ts'
import type { Context } from './context.ts'
import { invariant } from './invariant.ts'
import { statement } from './sql.ts'

/** What is settled about a subject: identifiers, states and numbers. No secret, name, address or text of anybody's stands here. */
export type AuditFields = Readonly<Record<string, string | number | boolean | Date | null | readonly string[] | undefined>>

export type AuditChange = {
  action: AuditAction
  /** Whose log it is in; left out for what concerns no team. */
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
 * Writes an act into the audit log, in the transaction that does it: there is no act without its entry, and no entry without its act.
 * Call it where something has changed, and only then.
 */
export async function recordAudit(inside: Context, { action, teamId, subjectId, before, after }: AuditChange): Promise<void> {
  const { actor, origin } = inside
  invariant(inside.isTransaction, 'an act is noted where it is done')
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
 * Of a change, the fields that are another now, as they were and as they are. `unsaid` are those whose values stay out of the log: of
 * them it says that they were changed. `undefined` when nothing is another.
 */
export function changesBetween<Fields extends AuditFields>(
  before: Fields,
  after: Partial<Fields>,
  redacted: readonly string[] = [],
): { before: AuditFields; after: AuditFields } | undefined {
  const changed = Object.keys(after).filter((name) => plain(before[name]) !== plain(after[name]))
  if (changed.length === 0) return undefined
  const said = changed.filter((name) => !redacted.includes(name))
  const changedRedacted = changed.filter((name) => redacted.includes(name))
  return {
    before: Object.fromEntries(said.map((name) => [name, before[name]])),
    after: {
      ...Object.fromEntries(said.map((name) => [name, after[name]])),
      ...(changedRedacted.length > 0 ? { changed: changedRedacted } : {}),
    },
  }
}

function plain(value: AuditFields[string]): string {
  return JSON.stringify(value ?? null)
}

function actorIdOf(actor: Context['actor']): string | null {
  if (actor.kind === 'key') return actor.keyId
  return actor.kind === 'person' ? actor.userId : null
}
