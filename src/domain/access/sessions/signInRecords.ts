import type { User } from '../../../entities/User.ts'
import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import { claimAccount } from '../people/claimAccount.ts'

type Person = Pick<User, 'id' | 'email' | 'name' | 'createdAt'>

const byEmail = statement<Person>('person_named', 'select id, email, name, created_at from users where lower(email) = lower($1)')
const byId = statement<Person>('person_known', 'select id, email, name, created_at from users where id = $1')

/** Reads the person with an e-mail address, case-insensitive, or with an identifier. */
export function findPerson({ sql }: Pick<Context, 'sql'>, by: { email: string } | { id: string }): Promise<Person | undefined> {
  return 'email' in by ? sql.one(byEmail, [by.email]) : sql.one(byId, [by.id])
}

/** The `sub` of a person at an OIDC issuer. */
export type Identity = { issuer: string; subject: string; userId: string }

const identityBySubject = statement<Identity>(
  'identity_by_subject',
  'select issuer, subject, user_id from auth.identities where issuer = $1 and subject = $2',
)
const linkIdentity = statement<{ userId: string }>(
  'link_identity',
  `insert into auth.identities (issuer, subject, user_id, created_at)
     select $1, $2, id, present() from users where id = $3 and deleted_at is null for no key update on conflict do nothing returning user_id`,
)

export function findIdentity({ sql }: Pick<Context, 'sql'>, issuer: string, subject: string): Promise<Identity | undefined> {
  return sql.one(identityBySubject, [issuer, subject])
}

/**
 * Links an identity to a person, whose address the provider has verified. Does nothing if the identity is linked or the person is deleted.
 * Locks: the person, their keys.
 */
export async function saveIdentity(context: Context, { issuer, subject, userId }: Identity): Promise<void> {
  await transaction(context, async (inside) => {
    if (await inside.sql.one(linkIdentity, [issuer, subject, userId])) await claimAccount(inside, userId)
  })
}

/** An OIDC sign-in that has begun and not come back. */
export type PendingSignIn = { state: string; value: string; createdAt: Date; expiresAt: Date }

const addPending = statement<never>(
  'add_pending_sign_in',
  `insert into auth.pending_sign_ins (state, value, created_at, expires_at) values ($1, $2, present(), present() + interval '10 minutes')`,
)
const consumePending = statement<PendingSignIn>(
  'take_pending_sign_in',
  `with taken as (delete from auth.pending_sign_ins where state = $1 returning state, value, created_at, expires_at)
   select state, value, created_at, expires_at from taken where expires_at > present()`,
)

export async function addPendingSignIn({ sql }: Pick<Context, 'sql'>, { state, value }: { state: string; value: string }): Promise<void> {
  await sql.all(addPending, [state, value])
}

/** Removes and returns the pending sign-in with that state, so that each state works once. `undefined` when it is unknown or expired. */
export function consumePendingSignIn({ sql }: Pick<Context, 'sql'>, state: string): Promise<PendingSignIn | undefined> {
  return sql.one(consumePending, [state])
}
