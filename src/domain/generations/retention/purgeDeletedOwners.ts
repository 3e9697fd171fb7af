import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { deleteSharedBodiesOfTeam } from '../../webhooks/deliveries/sharedBodies.ts'
import { endEditorGeneration } from '../ending/endEditorGeneration.ts'
import { endSerialized } from '../ending/endSerialized.ts'
import { type DeletedOwner, purgeDeliveries, purgeFiles, purgeHistory, purgeReplays, retryPostponed } from './purgeOwnedRows.ts'
import { redactAuditOrigins } from './redactAuditOrigins.ts'

/** Of one owner in one turn; the next one goes on. */
const openAtOnce = 500

/** Any of them, so that those of whom something cannot go yet keep no other out for good. */
const deletedOwners = statement<DeletedOwner>(
  'owners_to_forget',
  `select id, forgotten_to from (
     select id, forgotten_to from teams where deleted_at is not null and forgotten_at is null
     union all select id, forgotten_to from users where deleted_at is not null and forgotten_at is null
   ) as owners order by random() limit 20`,
)
const openWork = statement<Pick<Generation, 'id' | 'source' | 'accountId' | 'ownerId'>>(
  'open_work_to_end',
  `select id, source, account_id, owner_id from generations where owner_id = $1 and state = any(array['queued', 'running', 'finalizing']) limit ${openAtOnce}`,
)
const settle = statement<never>(
  'owner_is_forgotten',
  `with team as (update teams set forgotten_at = present() where id = $1)
   update users set forgotten_at = present() where id = $1`,
)

/**
 * Forgets what deleted teams and people have left: cancels open work, then removes results, files, prompts, the delivery log, and from
 * where a person did what the audit log says. Each step is bounded and takes up where the last one stopped, in whichever process; one that
 * fails stops no other step and no other owner. Returns how many owners nothing is left of.
 */
export async function purgeDeletedOwners(context: Context): Promise<number> {
  let forgotten = 0
  for (const owner of await context.sql.all(deletedOwners, [])) {
    try {
      if (await purgeOwner(context, owner)) forgotten += 1
    } catch (error) {
      context.log.error({ ownerId: owner.id, error }, 'what somebody deleted has left could not be forgotten yet')
    }
  }
  return forgotten
}

type Step = (context: Context, owner: DeletedOwner) => Promise<boolean>

/** Each gives whether it is done. What open work still needs is postponed, and tried again last. */
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
  postponed: (context, { id }) => retryPostponed(context, id),
}

/** Whether nothing is left. */
async function purgeOwner(context: Context, owner: DeletedOwner): Promise<boolean> {
  const open = await cancelOpenWorkOf(context, owner.id)
  if (open === 'more') return false
  let isDone = open === 'none'
  for (const [step, run] of Object.entries(steps)) {
    try {
      isDone = (await run(context, owner)) && isDone
    } catch (error) {
      isDone = false
      context.log.error({ ownerId: owner.id, step, error }, 'a part of what somebody deleted has left could not be forgotten yet')
    }
  }
  if (isDone) await context.sql.all(settle, [owner.id])
  return isDone
}

/** What is left: `some` cannot be cancelled now, since its result is being stored or its row is broken; `more` waits for the next turn. */
async function cancelOpenWorkOf(context: Context, ownerId: string): Promise<'none' | 'some' | 'more'> {
  const open = await context.sql.all(openWork, [ownerId])
  let left = 0
  for (const each of open) {
    try {
      const ended =
        each.source === 'editor' ? await tryEndEditorGeneration(context, each.id) : await endSerialized(context, each, cancelled)
      if (!ended) left += 1
    } catch (error) {
      // The account is locked or the database away, for all of them.
      if (error instanceof Refusal) throw error
      left += 1
      context.log.error({ generationId: each.id, error }, 'open work of a deleted owner could not be cancelled')
    }
  }
  if (open.length === openAtOnce && left < open.length) return 'more'
  return left > 0 ? 'some' : 'none'
}

const cancelled = { by: 'caller', to: 'cancelled', leaves: ['work', 'objects'] } as const

async function tryEndEditorGeneration(context: Context, id: string): Promise<boolean> {
  try {
    await endEditorGeneration(context, { id, state: 'failed' })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
