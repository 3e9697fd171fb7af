import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { canaryName, canaryPurpose, checkSecrets, readCanary } from './checkSecrets.ts'
import { isCurrent, openSecrets, type SealedSecrets, sealSecret } from './signingSecrets.ts'

const batchSize = 500

const page = statement<SealedSecrets & { secret: Buffer }>(
  'page_of_webhook_secrets',
  `select id, secret, older_secret from webhook_subscriptions where secret is not null and id > $1 order by id limit ${batchSize}`,
)
const reseal = statement<{ id: string }>(
  'reseal_webhook_secrets',
  `update webhook_subscriptions set secret = $2, older_secret = $3
     where id = $1 and secret = $4 and older_secret is not distinct from $5 returning id`,
)
const resealCanary = statement<never>('reseal_secret_canary', 'update secret_canary set sealed = $2 where name = $1 and sealed = $3')

/**
 * Encrypts all secrets with the first key of SECRET_KEY, so that older keys can be removed from it.
 * Returns the number of subscriptions whose secret none of the keys decrypts.
 */
export async function resealSecrets(context: Context): Promise<number> {
  let unopened = 0
  for (let after = ''; ; ) {
    const rows = await context.sql.all(page, [after])
    for (const row of rows) if (!(await resealIfOutdated(context, row))) unopened += 1
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) break
    after = last.id
  }
  if (unopened === 0 && !(await checkSecrets(context))) await resealCanaryIfOutdated(context)
  return unopened
}

/** Returns false when the secrets cannot be decrypted. The update skips a secret that was replaced meanwhile: it is already current. */
async function resealIfOutdated(context: Context, row: SealedSecrets & { secret: Buffer }): Promise<boolean> {
  const { id, secret, olderSecret } = row
  if (isCurrent(context.ring, row)) return true
  const secrets = openSecrets(context.ring, row)
  if (!secrets) return false
  const [newer = '', older] = secrets
  const sealed = sealSecret(context.ring, newer, { id, column: 'secret' })
  const sealedOlder = older === undefined ? null : sealSecret(context.ring, older, { id, column: 'older_secret' })
  await context.sql.all(reseal, [id, sealed, sealedOlder, secret, olderSecret])
  return true
}

async function resealCanaryIfOutdated({ ring, sql }: Context): Promise<void> {
  const canary = await sql.one(readCanary, [canaryName])
  if (!canary || ring.isCurrent(canary.sealed, canaryPurpose)) return
  await sql.all(resealCanary, [canaryName, ring.seal(Buffer.from(canaryName), canaryPurpose), canary.sealed])
}
