import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { openSecret } from './signingSecrets.ts'

export const canaryName = 'SECRET_KEY'
export const canaryPurpose = `secret_canary.sealed:${canaryName}`

export const readCanary = statement<{ sealed: Buffer }>('read_secret_canary', 'select sealed from secret_canary where name = $1')
const makeCanary = statement<{ sealed: Buffer }>(
  'make_secret_canary',
  'insert into secret_canary (name, sealed) values ($1, $2) on conflict (name) do nothing',
)
/** One secret for each key that sealed any, by the number of the key that every sealed value carries. */
const samples = statement<{ id: string; secret: Buffer }>(
  'sample_webhook_secrets',
  'select distinct on (get_byte(secret, 1)) id, secret from webhook_subscriptions where secret is not null order by get_byte(secret, 1), id desc',
)

const fault = 'SECRET_KEY does not open what this database holds sealed: give the key that was in use before, first or behind a new one'

/**
 * Says in a line what is wrong when our keys cannot open what is sealed in the database, `undefined` when all is well. The first
 * process on an empty database seals a canary there, so that a later one with another key is found out before it signs anything.
 */
export async function checkSecrets(context: Context): Promise<string | undefined> {
  const { ring, sql } = context
  let canary = await sql.one(readCanary, [canaryName])
  if (!canary) {
    await sql.all(makeCanary, [canaryName, ring.seal(Buffer.from(canaryName), canaryPurpose)])
    canary = await sql.one(readCanary, [canaryName])
  }
  if (!canary || !ring.open(canary.sealed, canaryPurpose)) return fault
  const sealed = await sql.all(samples, [])
  return sealed.every(({ id, secret }) => openSecret(ring, secret, { id, column: 'secret' }) !== undefined) ? undefined : fault
}
