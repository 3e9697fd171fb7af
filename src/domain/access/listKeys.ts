import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'

/** Keys of a team, or a person's own ones that belong to no team, newest first and revoked ones included; keyed by `id`. */
export async function listKeys(
  context: Context,
  owner: { teamId: string } | { userId: string },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<ApiKey[]> {
  const whose = 'teamId' in owner ? owner : { ...owner, teamId: null }
  const id = { ...(after === undefined ? {} : { $lt: after }), ...(before === undefined ? {} : { $gt: before }) }
  const where = after === undefined && before === undefined ? whose : { ...whose, id }
  return await context.em().find(ApiKey, where, { orderBy: { id: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}
