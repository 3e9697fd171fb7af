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
/** One secret per encryption key. The second byte of every sealed value is the number of its key. */
const samples = statement<{ id: string; secret: Buffer }>(
  'sample_webhook_secrets',
  'select distinct on (get_byte(secret, 1)) id, secret from webhook_subscriptions where secret is not null order by get_byte(secret, 1), id desc',
)

const countSealed = statement<{ all: number; sealed: number }>(
  'count_sealed_webhook_secrets',
  `select count(*)::integer as all, count(*) filter (where get_byte(secret, 1) = $1)::integer as sealed
     from webhook_subscriptions where secret is not null`,
)

const fault = 'SECRET_KEY cannot decrypt the secrets in this database. Add the previous key to SECRET_KEY, first or after a new one.'

/**
 * Returns an error message when SECRET_KEY cannot decrypt the secrets in the database, otherwise `undefined`. The first process on an
 * empty database stores an encrypted canary, so that a later process with another key fails this check before it signs anything.
 */
export async function checkSecrets({ ring, sql }: Pick<Context, 'ring' | 'sql'>): Promise<string | undefined> {
  let canary = await sql.one(readCanary, [canaryName])
  if (!canary) {
    await sql.all(makeCanary, [canaryName, ring.seal(Buffer.from(canaryName), canaryPurpose)])
    canary = await sql.one(readCanary, [canaryName])
  }
  if (!canary || !ring.open(canary.sealed, canaryPurpose)) return fault
  const sealed = await sql.all(samples, [])
  return sealed.every(({ id, secret }) => openSecret(ring, secret, { id, column: 'secret' }) !== undefined) ? undefined : fault
}

/** Describes the progress of a key rotation, for the message of a fault. The second byte of a sealed secret is the number of its key. */
export async function describeSealing({ ring, sql }: Pick<Context, 'ring' | 'sql'>): Promise<string> {
  const [, keyNumber] = ring.seal(Buffer.alloc(1), canaryPurpose)
  const { all = 0, sealed = 0 } = (await sql.one(countSealed, [keyNumber])) ?? {}
  return `If the key is being rotated, a worker with both keys seals all secrets with the first one, within ten minutes after its start: ${sealed} of ${all} are sealed.`
}
