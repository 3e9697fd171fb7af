import type { FilterQuery } from '@mikro-orm/postgresql'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { Team } from '../../entities/Team.ts'
import { User } from '../../entities/User.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { parseText } from '../parseText.ts'
import { containing } from '../search.ts'
import { findUser, findUserIdByEmail } from './people/users.ts'

const searchCharactersMax = 254

type Search = { search?: string | null | undefined }

/**
 * Lists the teams that exist, newest first, with `id` as the cursor. `search`: a part of the name, case-insensitive, or a whole identifier.
 * Refusals: invalid_request at `search`. Contract: docs/contract.md#directory.
 */
export async function listTeams(context: Context, { search }: Search, window: ListWindow): Promise<Team[]> {
  const where: FilterQuery<Team>[] = [{ deletedAt: null }, ...within(window)]
  const wanted = parseSearch(search)
  if (wanted) where.push({ $or: [{ name: containing(wanted) }, { id: wanted }] })
  return await context.em().find(Team, { $and: where }, ordered(window))
}

/**
 * Lists the people who exist, newest first, with `id` as the cursor. `search`: a part of the name or of the e-mail address,
 * case-insensitive, or a whole identifier. Refusals: invalid_request at `search`. Contract: docs/contract.md#directory.
 */
export async function listUsers(context: Context, { search }: Search, window: ListWindow): Promise<User[]> {
  const where: FilterQuery<User>[] = [{ deletedAt: null }, ...within(window)]
  const wanted = parseSearch(search)
  if (wanted) where.push({ $or: [{ name: containing(wanted) }, { email: containing(wanted) }, { id: wanted }] })
  return await context.em().find(User, { $and: where }, ordered(window))
}

/**
 * Finds a person by identifier or by e-mail address, case-insensitive; `null` when there is none.
 * Refusals: invalid_request unless exactly one of the two is given.
 */
export async function lookUpUser(
  context: Context,
  { id, email }: { id?: string | null | undefined; email?: string | null | undefined },
): Promise<User | null> {
  if (typeof id === 'string' && typeof email === 'string') throw misused('conflict')
  if (typeof id === 'string') return await findUser(context, id)
  if (typeof email !== 'string') throw misused('required')
  const wanted = parseText(email, { field: 'email', charactersMax: searchCharactersMax })
  const found = await findUserIdByEmail(context, wanted)
  return found === undefined ? null : await findUser(context, found)
}

function misused(code: 'conflict' | 'required') {
  return invalidRequest({ in: 'body', path: ['id'], code, message: 'Takes either an id or an email.' })
}

function parseSearch(search: string | null | undefined): string | undefined {
  return search ? parseText(search, { field: 'search', charactersMin: 0, charactersMax: searchCharactersMax }) : undefined
}

function within({ after, before }: ListWindow): { id: { $lt: string } | { $gt: string } }[] {
  return [...(after === undefined ? [] : [{ id: { $lt: after } }]), ...(before === undefined ? [] : [{ id: { $gt: before } }])]
}

function ordered({ limit, fromTheEnd }: ListWindow) {
  return { orderBy: { id: fromTheEnd ? ('asc' as const) : ('desc' as const) }, limit, refresh: true }
}
