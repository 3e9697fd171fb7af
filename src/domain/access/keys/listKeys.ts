import type { FilterQuery } from '@mikro-orm/postgresql'
import { ApiKey } from '../../../entities/ApiKey.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { parseText } from '../../parseText.ts'
import { containing } from '../../search.ts'
import type { KeyState } from './keyState.ts'

export type KeyFilter = {
  /** A part of the name or of the prefix, case-insensitive; or a whole identifier or key value. */
  search?: string | null | undefined
  state?: KeyState | null | undefined
  /** The person who issued it. */
  issuedBy?: string | null | undefined
}

type Owner = { teamId: string } | { userId: string } | { agentsOf: string; teamIds: Iterable<string> }

/**
 * Lists keys, newest first, revoked keys included unless filtered, with `id` as the cursor. Either the keys of a team, the personal keys of
 * a person, or the agent keys that a person issued (personal ones and those in `teamIds`). Refusals: invalid_request at `search`.
 */
export async function listKeys(
  context: Context,
  { search, state, issuedBy, ...owner }: Owner & KeyFilter,
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<ApiKey[]> {
  const where: FilterQuery<ApiKey>[] = [belongingTo(owner)]
  if (after !== undefined) where.push({ id: { $lt: after } })
  if (before !== undefined) where.push({ id: { $gt: before } })
  if (state) where.push(isIn(state, context.clock.now()))
  if (issuedBy) where.push({ userId: issuedBy })
  if (search) where.push(matches(search))
  return await context.em().find(ApiKey, { $and: where }, { orderBy: { id: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}

function belongingTo(owner: Owner): FilterQuery<ApiKey> {
  if ('teamId' in owner) return owner
  if ('userId' in owner) return { ...owner, teamId: null }
  const { agentsOf, teamIds } = owner
  return { userId: agentsOf, scopes: { $contained: ['mcp'] }, $or: [{ teamId: null }, { teamId: { $in: [...teamIds] } }] }
}

function isIn(state: KeyState, now: Date): FilterQuery<ApiKey> {
  if (state === 'revoked') return { revokedAt: { $ne: null } }
  if (state === 'expired') return { revokedAt: null, expiresAt: { $lte: now } }
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
}

const searchCharactersMax = 200
/** The prefix of a whole value. Somebody who found a leaked value can search for its key. */
const visiblePart = /^atl_[0-9A-Za-z]{8}/

function matches(search: string): FilterQuery<ApiKey> {
  const wanted = parseText(search, { field: 'search', charactersMin: 0, charactersMax: searchCharactersMax })
  const prefix = visiblePart.exec(wanted)?.[0] ?? wanted
  return { $or: [{ id: wanted }, { name: containing(wanted) }, { prefix: containing(prefix) }, { previousPrefix: containing(prefix) }] }
}
