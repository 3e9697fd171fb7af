import { isId } from '../../contract/ids.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { CreditAccount } from '../../entities/CreditAccount.ts'
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
const grantOnce = statement<{ granted: boolean }>('grant_credits', 'select grant_credits($1, $2::bigint, $3, $4) as granted')

/**
 * Adds credits to an account, once per idempotency key: a repeat changes nothing and returns the current account.
 * `credits` is above 0. Refusals: invalid_request; idempotency_conflict for a repeat with another amount. Locks: account.
 * Contract: docs/contract.md#grants-and-ledger.
 */
export async function grantCredits(context: Context, { teamId, userId, credits, note, idempotencyKey }: Grant): Promise<CreditAccount> {
  const amount = parseCredits(credits, 'credits')
  if (amount === 0) throw invalidRequest({ in: 'body', path: ['credits'], code: 'too_small', message: 'Takes more than 0 credits.' })
  const words = parseText(note, { field: 'note', charactersMin: 0, charactersMax: noteCharactersMax })
  const key = parseText(idempotencyKey, { field: 'idempotencyKey', charactersMax: idempotencyKeyCharactersMax })
  const account = await requireAccount(context, { teamId, userId })
  const grant = async (inside: Context) => {
    if (await inside.sql.one(ownerIsDeleted, [teamId ?? userId])) throw teamId ? unknownId('teamId', 'team') : unknownId('userId', 'user')
    const done = await inside.sql.one(grantOnce, [account.id, amount, words, key])
    if (done?.granted) await recordAudit(inside, { action: 'credits.granted', teamId, subjectId: account.id, after: { credits } })
  }
  await byAccount(account.id, () => transaction(context, grant))
  return await requireAccount(context, { teamId, userId })
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
