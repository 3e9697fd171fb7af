import { Refusal } from '../../contract/refusals.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { endEditorGeneration } from './endEditorGeneration.ts'
import { endGeneration } from './endGeneration.ts'
import { type Forgetting, forgetDeliveries, forgetFiles, forgetHistory, forgetReplays } from './forgetOwned.ts'

/** Of one owner in one turn; the next one goes on. */
const openAtOnce = 500

/** Any of them, so that those of whom something cannot go yet keep no other out for good. */
const toForget = statement<Forgetting>(
  'owners_to_forget',
  `select id, forgotten_to from (
     select id, forgotten_to from teams where deleted_at is not null and forgotten_at is null
     union all select id, forgotten_to from users where deleted_at is not null and forgotten_at is null
   ) as owners order by random() limit 20`,
)
const openWork = statement<{ id: string; source: string }>(
  'open_work_to_end',
  `select id, source from generations where owner_id = $1 and state = any(array['queued', 'running', 'finalizing']) limit ${openAtOnce}`,
)
const settle = statement<never>(
  'owner_is_forgotten',
  `with team as (update teams set forgotten_at = present() where id = $1)
   update users set forgotten_at = present() where id = $1`,
)

/**
 * Forgets what deleted teams and people have left: cancels open work, then removes results, files, prompts and the delivery log. Each step
 * is bounded and takes up where the last one stopped, in whichever process; an owner for whom one fails stops no other. Returns how many
 * owners nothing is left of.
 */
export async function forgetOwners(context: Context): Promise<number> {
  let forgotten = 0
  for (const owner of await context.sql.all(toForget, [])) {
    try {
      if (await forget(context, owner)) forgotten += 1
    } catch (error) {
      context.log.error({ ownerId: owner.id, error }, 'what somebody deleted has left could not be forgotten yet')
    }
  }
  return forgotten
}

/** Whether nothing is left. */
async function forget(context: Context, owner: Forgetting): Promise<boolean> {
  if (await cancelOpenWorkOf(context, owner.id)) return false
  await forgetReplays(context, owner.id)
  const steps = [await forgetFiles(context, owner.id), await forgetDeliveries(context, owner.id), await forgetHistory(context, owner)]
  if (!steps.every(Boolean)) return false
  await context.sql.all(settle, [owner.id])
  return true
}

/** True while some is left: what is being stored ends by itself soon. */
async function cancelOpenWorkOf(context: Context, ownerId: string): Promise<boolean> {
  const open = await context.sql.all(openWork, [ownerId])
  let left = open.length === openAtOnce
  for (const { id, source } of open) {
    const ended = source === 'editor' ? await endOfEditor(context, id) : await endGeneration(context, id, cancelled)
    if (!ended) left = true
  }
  return left
}

const cancelled = { by: 'caller', to: 'cancelled', leaves: ['work', 'objects'] } as const

async function endOfEditor(context: Context, id: string): Promise<boolean> {
  try {
    await endEditorGeneration(context, { id, state: 'failed' })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
