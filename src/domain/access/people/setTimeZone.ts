import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import type { PersonActor } from '../actor.ts'

/** No name of a zone is longer. */
const charactersMax = 64
/** Excludes offsets such as `+05:00`: Intl accepts them, but they have no daylight saving time. */
const nameForm = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

const inDatabase = statement<{ name: string }>('time_zone_by_name', 'select name from pg_timezone_names where name = $1')

const set = statement<{ before: string | null }>(
  'set_time_zone',
  `update users u set time_zone = $2 from (select id, time_zone from users where id = $1 for no key update) b
     where u.id = b.id and u.deleted_at is null and b.time_zone is distinct from $2 returning b.time_zone as before`,
)

/**
 * Sets the zone in which the signed-in person sees times; `null` for that of each browser. Node and PostgreSQL must both have the zone under
 * exactly this name. Refusals: invalid_request at `timeZone`. Locks: the person. Contract: docs/contract.md#own-account.
 */
export async function setTimeZone(context: Context & { actor: PersonActor }, timeZone: string | null): Promise<void> {
  const { userId } = context.actor
  if (timeZone !== null && !(await isTimeZone(context, timeZone))) throw unknownTimeZone()
  await transaction(context, async (inside) => {
    const changed = await inside.sql.one(set, [userId, timeZone])
    if (!changed) return
    await recordAudit(inside, {
      action: 'user.updated',
      subjectId: userId,
      before: { timeZone: changed.before },
      after: { timeZone },
    })
  })
}

async function isTimeZone({ sql }: Pick<Context, 'sql'>, name: string): Promise<boolean> {
  return name.length <= charactersMax && nameForm.test(name) && isKnownToNode(name) && (await sql.one(inDatabase, [name])) !== undefined
}

function isKnownToNode(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

function unknownTimeZone() {
  const message = 'Takes the name of a time zone, such as "Europe/Berlin", or null.'
  return invalidRequest({ in: 'body', path: ['timeZone'], code: 'not_allowed', message })
}
