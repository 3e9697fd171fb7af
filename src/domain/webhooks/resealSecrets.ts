import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { canaryName, canaryPurpose, checkSecrets } from './checkSecrets.ts'
import { openSecret, sealSecret } from './signingSecrets.ts'

const oldSecrets = statement<{ id: string; secret: Buffer; olderSecret: Buffer | null }>(
  'webhook_secrets_of_old_keys',
  `select id, secret, older_secret from webhook_subscriptions
     where secret is not null and (get_byte(secret, 1) <> $1 or get_byte(older_secret, 1) <> $1)`,
)
const reseal = statement<{ id: string }>(
  'reseal_webhook_secrets',
  `update webhook_subscriptions set secret = $2, older_secret = $3
     where id = $1 and secret = $4 and older_secret is not distinct from $5 returning id`,
)
const resealCanary = statement<never>('reseal_canary', 'update secret_canary set sealed = $2 where name = $1 and get_byte(sealed, 1) <> $3')

/**
 * Seals anew, with the first key of the ring, what earlier first keys sealed, so that those can be taken out of SECRET_KEY.
 * Returns how many secrets are left that no key of the ring opens.
 */
export async function resealSecrets(context: Context): Promise<number> {
  const { ring, sql } = context
  const canary = ring.seal(Buffer.from(canaryName), canaryPurpose)
  const keyNumber = canary[1]
  let unopened = 0
  for (const { id, secret, olderSecret } of await sql.all(oldSecrets, [keyNumber])) {
    const newer = openSecret(ring, secret, { id, column: 'secret' })
    const older = olderSecret && openSecret(ring, olderSecret, { id, column: 'older_secret' })
    if (newer === undefined || older === undefined) {
      unopened += 1
      continue
    }
    const sealed = [
      sealSecret(ring, newer, { id, column: 'secret' }),
      older === null ? null : sealSecret(ring, older, { id, column: 'older_secret' }),
    ]
    await sql.all(reseal, [id, ...sealed, secret, olderSecret])
  }
  if (unopened === 0 && !(await checkSecrets(context))) await sql.all(resealCanary, [canaryName, canary, keyNumber])
  return unopened
}
