import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Audit entries that one statement reads. */
const entriesAtOnce = 1_000

type Page = { lastAt: string; lastId: string; entries: number }

const page = statement<Page>('redact_audit_origins', 'select * from redact_audit_origins($1, $2, $3, $4, $5)')
const keys = statement<{ id: string }>('keys_of_person', 'select id from api_keys where user_id = $1 order by id')

/**
 * Deletes the addresses and user agents from audit entries of a deleted person and their keys, and of refused sign-ins as them. Each page
 * is a statement of its own, so a repeat after a crash continues. True when all are deleted.
 */
export async function redactAuditOrigins(context: Context, userId: string): Promise<boolean> {
  await redactPages(context, { actor: null, subject: userId })
  await redactPages(context, { actor: userId, subject: null })
  for (const { id } of await context.sql.all(keys, [userId])) await redactPages(context, { actor: id, subject: null })
  return true
}

async function redactPages({ sql }: Context, { actor, subject }: { actor: string | null; subject: string | null }): Promise<void> {
  let last: Page | undefined = { lastAt: 'infinity', lastId: '0', entries: entriesAtOnce }
  while (last?.entries === entriesAtOnce) last = await sql.one(page, [actor, subject, last.lastAt, last.lastId, entriesAtOnce])
}
