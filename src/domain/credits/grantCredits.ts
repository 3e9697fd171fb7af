import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { isId } from '../../contract/ids.ts'
import { invalidRequest, Refusal } from '../../contract/refusals/refusals.ts'
import { CreditAccount } from '../../entities/CreditAccount.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { accountMutex } from '../accountMutex.ts'
import { type Context, transaction } from '../context.ts'
import { parseCredits } from '../parseCredits.ts'
import { parseText } from '../parseText.ts'
import { recordAudit } from '../recordAudit.ts'
import { statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'

/** A team or a person: exactly one of the two. */
export type AccountOwner = { teamId?: string | null | undefined; userId?: string | null | undefined }

export type Grant = AccountOwner & { credits: number; note: string; idempotencyKey: string }

const noteCharactersMax = 500
const idempotencyKeyCharactersMax = 255

const ownerIsDeleted = statement<{ id: string }>(
  'owner_is_gone',
  `select id from teams where id = $1 and deleted_at is not null union all select id from users where id = $1 and deleted_at is not null`,
)
const byAccount = accountMutex()
const adjustOnce = statement<{ outcome: 'adjusted' | 'repeated' | 'insufficient' }>(
  'adjust_credits',
  'select adjust_credits($1, $2::bigint, $3, $4) as outcome',
)
const grantOnce = statement<{ granted: boolean }>('grant_credits', 'select grant_credits($1, $2::bigint, $3, $4) as granted')

/**
 * Adds credits to an account, once per idempotency key: a repeat changes nothing and returns the current account.
 * `credits` is above 0. Refusals: invalid_request; idempotency_conflict for a repeat with another amount. Locks: account.
 * Contract: docs/contract.md#grants-and-ledger.
 */
export async function grantCredits(context: Context, { credits, ...grant }: Grant): Promise<CreditAccount> {
  const amount = parseCredits(credits, 'credits')
  if (amount === 0) throw invalidRequest({ in: 'body', path: ['credits'], code: 'too_small', message: 'Takes more than 0 credits.' })
  return await changeOnce(context, grant, async (inside, { id, note, key }) => {
    const done = await inside.sql.one(grantOnce, [id, amount, note, key])
    if (done?.granted) await recordAudit(inside, { action: 'credits.granted', teamId: grant.teamId, subjectId: id, after: { credits } })
  })
}

/**
 * Adds credits to an account, or takes them away when `credits` is negative, once per idempotency key. Keys are shared with grants.
 * Refusals: invalid_request; idempotency_conflict for a repeat with another amount; insufficient_credits when less than the held credits
 * would stay. Locks: account. Contract: docs/contract.md#grants-and-ledger.
 */
export async function adjustCredits(context: Context, { credits, ...grant }: Grant): Promise<CreditAccount> {
  const size = parseCredits(Math.abs(credits), 'credits')
  if (size === 0) throw invalidRequest({ in: 'body', path: ['credits'], code: 'not_allowed', message: 'Takes an amount other than 0.' })
  return await changeOnce(context, grant, async (inside, { id, note, key }) => {
    const done = await inside.sql.one(adjustOnce, [id, Math.sign(credits) * size, note, key])
    if (done?.outcome === 'insufficient') throw insufficient(await requireAccount(inside, grant), size)
    if (done?.outcome === 'adjusted')
      await recordAudit(inside, { action: 'credits.adjusted', teamId: grant.teamId, subjectId: id, after: { credits } })
  })
}

type Change = { id: string; note: string; key: string }

/** Runs one change of an account in a transaction, while no other call of this process changes the account. */
async function changeOnce(
  context: Context,
  { teamId, userId, note, idempotencyKey }: Omit<Grant, 'credits'>,
  change: (inside: Context, change: Change) => Promise<void>,
): Promise<CreditAccount> {
  const parsed = {
    note: parseText(note, { field: 'note', charactersMin: 0, charactersMax: noteCharactersMax }),
    key: parseText(idempotencyKey, { field: 'idempotencyKey', charactersMax: idempotencyKeyCharactersMax }),
  }
  const { id } = await requireAccount(context, { teamId, userId })
  const inTransaction = async (inside: Context) => {
    if (await inside.sql.one(ownerIsDeleted, [teamId ?? userId])) throw teamId ? unknownId('teamId', 'team') : unknownId('userId', 'user')
    await change(inside, { id, ...parsed })
  }
  await byAccount(id, () => transaction(context, inTransaction))
  return await requireAccount(context, { teamId, userId })
}

function insufficient({ balance, held }: CreditAccount, size: Hundredths): Refusal {
  return new Refusal('insufficient_credits', {
    credits: creditsOf(size),
    creditsAvailable: creditsOf(hundredths(balance - held)),
    creditsHeld: creditsOf(hundredths(held)),
  })
}

/** Reads the account of a team or person; null when the owner does not exist. Amounts are hundredths. */
export async function accountOf(context: Context, { teamId, userId }: AccountOwner): Promise<CreditAccount | null> {
  if (typeof teamId === 'string') return isId('team', teamId) ? await found(context, { teamId }) : null
  return typeof userId === 'string' && isId('user', userId) ? await found(context, { userId }) : null
}

/** Reads an account. Refusals: invalid_request when both or neither owner is given, or the owner does not exist. */
export async function requireAccount(context: Context, owner: AccountOwner): Promise<CreditAccount> {
  const namesTeam = typeof owner.teamId === 'string'
  if (namesTeam === (typeof owner.userId === 'string')) {
    throw invalidRequest({
      in: 'body',
      path: ['teamId'],
      code: namesTeam ? 'conflict' : 'required',
      message: 'Takes either a teamId or a userId.',
    })
  }
  const account = await accountOf(context, owner)
  if (!account) throw namesTeam ? unknownId('teamId', 'team') : unknownId('userId', 'user')
  return account
}

/** Reads the existing accounts among `ids`, in any order. Amounts are hundredths. */
export function loadAccounts(context: Context, ids: readonly string[]): Promise<CreditAccount[]> {
  return context.em().find(CreditAccount, { id: { $in: [...ids] } }, { refresh: true })
}

function found(context: Context, owner: { teamId: string } | { userId: string }): Promise<CreditAccount | null> {
  return context.em().findOne(CreditAccount, owner, { refresh: true })
}
