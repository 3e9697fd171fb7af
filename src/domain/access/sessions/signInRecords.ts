import type { User } from '../../../entities/User.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Person = Pick<User, 'id' | 'email' | 'name' | 'createdAt'>

const byEmail = statement<Person>('person_named', 'select id, email, name, created_at from users where lower(email) = lower($1)')
const byId = statement<Person>('person_known', 'select id, email, name, created_at from users where id = $1')

/** The person with an e-mail address, letter case apart, or with an identifier. */
export function findPerson({ sql }: Pick<Context, 'sql'>, by: { email: string } | { id: string }): Promise<Person | undefined> {
  return 'email' in by ? sql.one(byEmail, [by.email]) : sql.one(byId, [by.id])
}

/** A name under which a person is known to a provider of identities. */
export type Identity = { issuer: string; subject: string; userId: string }

const identityBySubject = statement<Identity>(
  'identity_by_subject',
  'select issuer, subject, user_id from auth.identities where issuer = $1 and subject = $2',
)
const linkIdentity = statement<never>(
  'link_identity',
  `insert into auth.identities (issuer, subject, user_id, created_at)
     select $1, $2, id, present() from users where id = $3 and deleted_at is null for share on conflict do nothing`,
)

export function findIdentity({ sql }: Pick<Context, 'sql'>, issuer: string, subject: string): Promise<Identity | undefined> {
  return sql.one(identityBySubject, [issuer, subject])
}

/** Remembers who a provider means; the first word counts, and somebody deleted is meant by none. Locks: the person. */
export async function saveIdentity({ sql }: Pick<Context, 'sql'>, { issuer, subject, userId }: Identity): Promise<void> {
  await sql.all(linkIdentity, [issuer, subject, userId])
}

/** A sign-in that is under way at a provider. */
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

/** Gives a sign-in that is under way to the first who comes back with its state, and to nobody after. */
export function consumePendingSignIn({ sql }: Pick<Context, 'sql'>, state: string): Promise<PendingSignIn | undefined> {
  return sql.one(consumePending, [state])
}
