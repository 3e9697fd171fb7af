import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { purgeUsageLabels } from '../../credits/usageByLabel.ts'
import { statement } from '../../sql.ts'
import { deleteSharedBodiesOfTeam } from '../../webhooks/deliveries/sharedBodies.ts'
import { endEditorGeneration } from '../ending/endEditorGeneration.ts'
import { endSerialized } from '../ending/endSerialized.ts'
import { type DeletedOwner, purgeDeliveries, purgeFiles, purgeHistory, purgeReplays, retryPostponed } from './purgeOwnedRows.ts'

/** Open generations that one run cancels for an owner. The next run continues. */
const openAtOnce = 500

/** In random order, so that owners with rows that cannot be purged yet do not block others. */
const deletedOwners = statement<DeletedOwner>(
  'deleted_owners',
  `select id, forgotten_to from (
     select id, forgotten_to from teams where deleted_at is not null and forgotten_at is null
     union all select id, forgotten_to from users where deleted_at is not null and forgotten_at is null
   ) as owners order by random() limit 20`,
)
const openWork = statement<Pick<Generation, 'id' | 'accountId' | 'ownerId'>>(
  'open_work_to_end',
  `select id, account_id, owner_id from generations where owner_id = $1 and state = any(array['queued', 'running', 'finalizing']) limit ${openAtOnce}`,
)
const settle = statement<never>(
  'mark_owner_purged',
  `with team as (update teams set forgotten_at = present() where id = $1)
   update users set forgotten_at = present() where id = $1`,
)

/**
 * Purges the data of deleted teams and people: cancels open work, then removes results, files, prompts, the delivery log, and a person's
 * addresses in the audit log. Each step is bounded and continues where the last run of any process stopped. A step that fails does not stop
 * other steps or owners. Returns the number of completely purged owners.
 */
export async function purgeDeletedOwners(context: Context): Promise<number> {
  let purged = 0
  for (const owner of await context.sql.all(deletedOwners, [])) {
    try {
      if (await purgeOwner(context, owner)) purged += 1
    } catch (error) {
      context.log.error({ ownerId: owner.id, error }, 'a deleted owner could not be purged yet')
    }
  }
  return purged
}

type Step = (context: Context, owner: DeletedOwner) => Promise<boolean>

/** Each resolves whether it is done. Rows that open work needs are postponed and retried last. */
const steps: Record<string, Step> = {
  replays: (context, { id }) => purgeReplays(context, id),
  places: async (context, { id }) => !isId('user', id) || (await redactAuditOrigins(context, id)),
  files: (context, { id }) => purgeFiles(context, id),
  deliveries: async (context, { id }) => {
    const isDone = await purgeDeliveries(context, id)
    if (isDone && isId('team', id)) await deleteSharedBodiesOfTeam(context, { teamId: id, days: 0 })
    return isDone
  },
  history: purgeHistory,
  usage: async (context, { id }) => {
    await purgeUsageLabels(context, id)
    return true
  },
  postponed: (context, { id }) => retryPostponed(context, id),
}

/** Resolves whether the owner is completely purged. */
async function purgeOwner(context: Context, owner: DeletedOwner): Promise<boolean> {
  const open = await cancelOpenWorkOf(context, owner.id)
  if (open === 'more') return false
  let isDone = open === 'none'
  for (const [step, run] of Object.entries(steps)) {
    try {
      isDone = (await run(context, owner)) && isDone
    } catch (error) {
      isDone = false
      context.log.error({ ownerId: owner.id, step, error }, 'a part of a deleted owner could not be purged yet')
    }
  }
  if (isDone) await context.sql.all(settle, [owner.id])
  return isDone
}

/** The rest: `some` cannot be cancelled now, since a result is being stored or a row is broken; `more` waits for the next run. */
async function cancelOpenWorkOf(context: Context, ownerId: string): Promise<'none' | 'some' | 'more'> {
  const open = await context.sql.all(openWork, [ownerId])
  let left = 0
  for (const each of open) {
    try {
      const ended = each.accountId === null ? await tryEndEditorGeneration(context, each.id) : await endSerialized(context, each, cancelled)
      if (!ended) left += 1
    } catch (error) {
      // The account is locked or the database is unavailable, for all rows.
      if (error instanceof Refusal) throw error
      left += 1
      context.log.error({ generationId: each.id, error }, 'open work of a deleted owner could not be cancelled')
    }
  }
  if (open.length === openAtOnce && left < open.length) return 'more'
  return left > 0 ? 'some' : 'none'
}

const cancelled = { by: 'caller', to: 'cancelled', cleanup: ['work', 'objects'] } as const

async function tryEndEditorGeneration(context: Context, id: string): Promise<boolean> {
  try {
    await endEditorGeneration(context, { id, state: 'failed' })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Audit entries that one statement reads. */
const entriesAtOnce = 1_000

type Page = { lastAt: string; lastId: string; entries: number }

const page = statement<Page>('redact_audit_origins', 'select * from redact_audit_origins($1, $2, $3, $4, $5)')
const keys = statement<{ id: string }>('keys_of_person', 'select id from api_keys where user_id = $1 order by id')

/**
 * Deletes the addresses and user agents from audit entries of a deleted person and their keys, and of refused sign-ins as them. Each page
 * is a statement of its own, so a repeat after a crash continues. True when all are deleted.
 */
async function redactAuditOrigins(context: Context, userId: string): Promise<boolean> {
  await redactPages(context, { actor: null, subject: userId })
  await redactPages(context, { actor: userId, subject: null })
  for (const { id } of await context.sql.all(keys, [userId])) await redactPages(context, { actor: id, subject: null })
  return true
}

async function redactPages({ sql }: Context, { actor, subject }: { actor: string | null; subject: string | null }): Promise<void> {
  let last: Page | undefined = { lastAt: 'infinity', lastId: '0', entries: entriesAtOnce }
  while (last?.entries === entriesAtOnce) last = await sql.one(page, [actor, subject, last.lastAt, last.lastId, entriesAtOnce])
}
