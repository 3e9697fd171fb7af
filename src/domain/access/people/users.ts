import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { nothing } from '../../../contract/hundredths.ts'
import { isId, newId } from '../../../contract/ids.ts'
import { type Issue, invalidRequest } from '../../../contract/refusals/refusals.ts'
import { CreditAccount } from '../../../entities/CreditAccount.ts'
import { User } from '../../../entities/User.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { parseName, parseText } from '../../parseText.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { accountIdOf } from '../spender.ts'

export type NewUser = {
  email: string
  name: string
  /** Without a password the person cannot sign in by password. */
  password?: string | null | undefined
  subscriptionActive?: boolean | null | undefined
}

const emailCharactersMax = 254
/** A password is not trimmed. */
const passwordRule = { field: 'password', charactersMin: 8, charactersMax: 200, keepEnds: true }
/** One `@` with text on both sides and no white space. A stricter rule would refuse real addresses. */
const emailForm = /^[^\s@]+@[^\s@]+$/

/**
 * Creates a person and their empty credit account in one transaction. E-mail addresses are unique, case-insensitive.
 * Refusals: invalid_request at `email`, `name` or `password`. Contract: docs/contract.md#mutations.
 */
export async function createUser(context: Context, input: NewUser): Promise<User> {
  const email = parseEmail(input.email)
  const name = parseName(input.name)
  const passwordHash = typeof input.password === 'string' ? await hashNewPassword(context, input.password) : null
  const subscriptionActive = input.subscriptionActive ?? false
  try {
    return await transaction(context, (inside) =>
      insertUser(inside, { email, name, passwordHash, subscriptionActive, emailVerified: true }),
    )
  } catch (error) {
    throw emailConflict(error)
  }
}

/** Inserts a person and their empty credit account in the transaction of the context. Throws what {@link emailConflict} translates. */
export async function insertUser(
  inside: Context,
  person: Pick<User, 'email' | 'name' | 'passwordHash' | 'subscriptionActive' | 'emailVerified'>,
): Promise<User> {
  const em = inside.em()
  const id = newId('user')
  const createdAt = inside.clock.now()
  const user = em.create(User, { ...person, id, timeZone: null, createdAt, deletedAt: null })
  await em.flush()
  em.create(CreditAccount, {
    id: accountIdOf(id),
    teamId: null,
    userId: id,
    balance: nothing,
    held: nothing,
    monthlyLimit: null,
    lowCreditsThreshold: null,
    createdAt,
  })
  const after = { subscriptionActive: user.subscriptionActive, password: user.passwordHash !== null }
  await recordAudit(inside, { action: 'user.created', subjectId: id, after })
  return user
}

/** The refusal for an address that another person has; any other error as it is. */
export function emailConflict(error: unknown): unknown {
  if (!(error instanceof UniqueConstraintViolationException)) return error
  return refusedAt('email', 'conflict', 'Another person has this e-mail address.')
}

export type UserChange = {
  id: string
  name?: string | null | undefined
  subscriptionActive?: boolean | null | undefined
  /** `null` removes the password: the person can sign in only with OIDC. */
  password?: string | null | undefined
}

/**
 * Changes the given settings of a person. A new or removed password ends all their sessions in the same transaction.
 * Refusals: invalid_request at `id`, `name` or `password`. Contract: docs/contract.md#mutations.
 */
export async function updateUser(context: Context, { id, name, subscriptionActive, password }: UserChange): Promise<User> {
  await requireUser(context, id, 'id')
  const changes = omitUndefined({
    name: typeof name === 'string' ? parseName(name) : undefined,
    subscriptionActive: subscriptionActive ?? undefined,
    passwordHash: typeof password === 'string' ? await hashNewPassword(context, password) : password,
  })
  await transaction(context, async (inside) => {
    await inside.sql.one(lockUser, [id])
    const { name: named, subscriptionActive: subscribed, passwordHash } = await requireUser(inside, id, 'id')
    const before = { name: named, subscriptionActive: subscribed, passwordHash }
    const changed = changesBetween(before, changes, ['name', 'passwordHash'])
    if (changed) await inside.em().nativeUpdate(User, { id }, changes)
    const sessionsEnded = password === undefined ? 0 : await endSessionsOf(inside, id)
    if (!changed && sessionsEnded === 0) return
    const after = { ...changed?.after, ...(password === undefined ? {} : { sessionsEnded }) }
    await recordAudit(inside, { action: 'user.updated', subjectId: id, before: changed?.before, after })
  })
  return await requireUser(context, id, 'id')
}

const lockUser = statement<{ id: string }>('lock_user', 'select id from users where id = $1 for no key update')

/** Reads the person from the database; `null` when they do not exist or `id` has no valid form. */
export async function findUser(context: Context, id: string): Promise<User | null> {
  return isId('user', id) ? await context.em().findOne(User, { id, deletedAt: null }, { refresh: true }) : null
}

const byEmail = statement<{ id: string }>('user_by_email', 'select id from users where lower(email) = lower($1) and deleted_at is null')

/** The identifier of the person with this e-mail address, case-insensitive; undefined when there is none. */
export async function findUserIdByEmail({ sql }: Pick<Context, 'sql'>, email: string): Promise<string | undefined> {
  // No address contains NUL, and PostgreSQL rejects it in text.
  return email.includes('\0') ? undefined : (await sql.one(byEmail, [email.trim()]))?.id
}

/** Refusals: invalid_request at `field` for an unknown person. */
export async function requireUser(context: Context, id: string, field: string): Promise<User> {
  const user = await findUser(context, id)
  if (!user) throw unknownId(field, 'user')
  return user
}

/** Reads the people who exist, in any order. */
export function loadUsers(context: Context, ids: readonly string[]): Promise<User[]> {
  return context.em().find(User, { id: { $in: [...ids] } }, { refresh: true })
}

const subscriber = statement<{ subscriptionActive: boolean }>('is_subscriber', 'select subscription_active from users where id = $1')

/** Reads whether the person's subscription is active; false for an unknown person. */
export async function isSubscriber({ sql }: Pick<Context, 'sql'>, userId: string): Promise<boolean> {
  return (await sql.one(subscriber, [userId]))?.subscriptionActive ?? false
}

/** Parses an e-mail address. Refusals: invalid_request at `email`. */
export function parseEmail(text: string): string {
  const email = parseText(text, { field: 'email', charactersMax: emailCharactersMax })
  if (!emailForm.test(email)) throw refusedAt('email', 'bad_format', 'Takes an e-mail address.')
  return email
}

/** Hashes a new password. Refusals: invalid_request at `field`. */
export async function hashNewPassword(
  { passwords }: Pick<Context, 'passwords'>,
  password: string,
  field = passwordRule.field,
): Promise<string> {
  return await passwords.hash(parseText(password, { ...passwordRule, field }))
}

function refusedAt(field: string, code: Issue['code'], message: string) {
  return invalidRequest({ in: 'body', path: [field], code, message })
}
