import { createHash } from 'node:crypto'
import { makeConcurrencyLimiter } from '../../../concurrency/concurrencyLimiter.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'

export type SignIn = {
  email: string
  password: string
  /** The client's network address, as requests are counted. */
  address: string
}

/** A person, and the password hash that was verified; null for OIDC. */
export type VerifiedSignIn = { userId: string; passwordHash: string | null }

const begin = statement<{ waitSeconds: number; isKnown: boolean }>(
  'begin_sign_in',
  'select begin_sign_in($1, $2) as wait_seconds, sign_in_is_known($1, $2) as is_known',
)
const refuse = statement<never>('refuse_sign_in', 'select refuse_sign_in($1, $2)')
const settle = statement<never>('end_sign_in', 'select end_sign_in($1, $2, $3)')
/** `folded`: the address as the database compares it, whether or not a person has it. */
const findPerson = statement<{ folded: string; id: string | null; passwordHash: string | null }>(
  'person_by_email',
  `select asked.folded, u.id, u.password_hash from (select lower($1::text) as folded) asked left join users u on lower(u.email) = asked.folded`,
)

/**
 * A check occupies a thread and 32 MiB for 0.2 seconds, so few run at once. Known pairs of account and network address have their own
 * limiter, so that a flood from other addresses does not delay them.
 */
const checkers = {
  known: makeConcurrencyLimiter({ atOnce: 1, waitingMax: 20 }),
  unknown: makeConcurrencyLimiter({ atOnce: 2, waitingMax: 20 }),
}
/** Limits the statements of attempts, so that a flood leaves connections for other requests. */
const statements = makeConcurrencyLimiter({ atOnce: 3, waitingMax: 1000 })
/** Longer input cannot be right. It is refused before any work. */
const charactersMax = 500

/**
 * Verifies an e-mail address and a password. An attempt is counted in the database before the check, so that concurrent attempts in many
 * processes cannot exceed the limit. Failed attempts lead to growing pauses. An unknown address costs the same work and the same counts,
 * so that nobody can find out which addresses have accounts.
 * Refusals: unauthorized; rate_limited with the seconds to wait; too_many_concurrent when too many passwords are being checked.
 * Locks: the counts of the account and the address. Contract: docs/contract.md#sign-in-by-password.
 */
export async function signIn(context: Context, { email, password, address }: SignIn): Promise<VerifiedSignIn> {
  const { sql, passwords } = context
  if (email.length > charactersMax || password.length > charactersMax) throw wrong()
  const begun = await statements.run(() => beginAttempt(context, { typed: email.trim(), address }))
  if (!begun) throw tooMany()
  const { id, passwordHash, account, waitSeconds, isKnown } = begun
  if (waitSeconds > 0) throw paused(waitSeconds)
  const isRight = await checkers[isKnown ? 'known' : 'unknown'].run(() => passwords.verify(password, passwordHash))
  if (isRight === false) {
    if (id !== null) recordInBackground(context, id)
    throw wrong()
  }
  if (isRight === undefined) {
    await statements.run(() => sql.one(refuse, [account, address]))
    throw tooMany()
  }
  await sql.one(settle, [account, address, true])
  if (id === null) throw wrong()
  return { userId: id, passwordHash }
}

/** Takes one connection at most: nothing waits for these entries, so slow ones would pile up. Entries beyond the queue are dropped. */
const entries = makeConcurrencyLimiter({ atOnce: 1, waitingMax: 100 })

/** Only existing accounts have this work. An answer that waited for it would reveal by its time that the account exists. */
function recordInBackground(context: Context, userId: string): void {
  entries
    .run(() => recordRefusedSignIn(context, userId))
    .catch((error: unknown) => context.log.warn({ error }, 'a refused sign-in was not recorded'))
}

async function beginAttempt({ sql }: Context, { typed, address }: { typed: string; address: string }) {
  const { folded = typed, id = null, passwordHash = null } = (await sql.one(findPerson, [typed])) ?? {}
  // Always the case folding of the database: a different one for unknown addresses would reveal which have an account.
  const account = createHash('sha256').update(folded).digest('hex')
  const { waitSeconds, isKnown } = (await sql.one(begin, [account, address])) ?? { waitSeconds: 0, isKnown: false }
  return { id, passwordHash, account, waitSeconds, isKnown }
}

function tooMany(): Refusal {
  return new Refusal('too_many_concurrent', { limit: 2, retryAfterSeconds: 2 })
}

function wrong(): Refusal {
  return new Refusal('unauthorized', undefined, { message: 'E-mail or password is wrong.' })
}

function paused(retryAfterSeconds: number): Refusal {
  const message = `Too many sign-in attempts. Try again in ${retryAfterSeconds} seconds.`
  return new Refusal('rate_limited', { limit: 5, retryAfterSeconds }, { message })
}

/** Limit of audit entries for one person in an hour. */
const entriesPerHour = 20

const countRecent = statement<{ all: number; fromThere: boolean }>(
  'count_refused_sign_ins',
  `select count(*)::integer as all, coalesce(bool_or(address is not distinct from $2), false) as from_there from (
     select address from audit_entries
       where subject_id = $1 and action = 'user.sign_in_refused' and at > present() - interval '1 hour' limit ${entriesPerHour}
   ) recent`,
)

/**
 * Records a wrong password for an existing account in the audit log: once an hour for each network address, and at most
 * {@link entriesPerHour} times for one person, so that guessing cannot fill the log.
 */
async function recordRefusedSignIn(context: Context, userId: string): Promise<void> {
  const recent = await context.sql.one(countRecent, [userId, context.origin?.address ?? null])
  if (!recent || recent.fromThere || recent.all >= entriesPerHour) return
  await transaction(context, (inside) => recordAudit(inside, { action: 'user.sign_in_refused', subjectId: userId }))
}
