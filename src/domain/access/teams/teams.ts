import { nothing } from '../../../contract/hundredths.ts'
import { isId, newId } from '../../../contract/ids.ts'
import { CreditAccount } from '../../../entities/CreditAccount.ts'
import { Team } from '../../../entities/Team.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { parseName } from '../../parseText.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { accountIdOf } from '../spender.ts'

/**
 * Creates a team and its empty credit account in one transaction. Without `planExpiresAt` the plan has no end.
 * Refusals: invalid_request at `name`. Contract: docs/contract.md#mutations.
 */
export async function createTeam(context: Context, input: { name: string; planExpiresAt?: Date | null | undefined }): Promise<Team> {
  const name = parseName(input.name)
  const createdAt = context.clock.now()
  return await transaction(context, async (inside) => {
    const em = inside.em()
    const id = newId('team')
    const team = em.create(Team, {
      id,
      name,
      planExpiresAt: input.planExpiresAt ?? null,
      blocked: false,
      externalAccess: true,
      createdAt,
      deletedAt: null,
    })
    await em.flush()
    em.create(CreditAccount, { id: accountIdOf(id), teamId: id, userId: null, balance: nothing, held: nothing, createdAt })
    await recordAudit(inside, { action: 'team.created', teamId: id, subjectId: id, after: { planExpiresAt: team.planExpiresAt } })
    return team
  })
}

export type TeamChange = {
  id: string
  name?: string | null | undefined
  /** `null`: the plan has no end. */
  planExpiresAt?: Date | null | undefined
  blocked?: boolean | null | undefined
  externalAccess?: boolean | null | undefined
}

/** Changes the given settings of a team. Refusals: invalid_request at `id` or `name`. Contract: docs/contract.md#teams-and-members. */
export async function updateTeam(context: Context, { id, name, planExpiresAt, blocked, externalAccess }: TeamChange): Promise<Team> {
  await requireTeam(context, id, 'id')
  const changes = omitUndefined({
    name: typeof name === 'string' ? parseName(name) : undefined,
    planExpiresAt,
    blocked: blocked ?? undefined,
    externalAccess: externalAccess ?? undefined,
  })
  await transaction(context, async (inside) => {
    await inside.sql.one(lockTeam, [id])
    const before = await requireTeam(inside, id, 'id')
    const changed = changesBetween(settingsOf(before), changes, ['name'])
    if (!changed) return
    await inside.em().nativeUpdate(Team, { id }, changes)
    await recordAudit(inside, { action: 'team.updated', teamId: id, subjectId: id, ...changed })
  })
  return await requireTeam(context, id, 'id')
}

const lockTeam = statement<{ id: string }>('lock_team', 'select id from teams where id = $1 for no key update')

function settingsOf({ name, planExpiresAt, blocked, externalAccess }: Team) {
  return { name, planExpiresAt, blocked, externalAccess }
}

/** Reads the team from the database; `null` when it does not exist or `id` has no valid form. */
export async function findTeam(context: Context, id: string): Promise<Team | null> {
  return isId('team', id) ? await context.em().findOne(Team, { id, deletedAt: null }, { refresh: true }) : null
}

/** Refusals: invalid_request at `field` for an unknown team. */
export async function requireTeam(context: Context, id: string, field: string): Promise<Team> {
  const team = await findTeam(context, id)
  if (!team) throw unknownId(field, 'team')
  return team
}

/** Reads the teams that exist, in any order. */
export function loadTeams(context: Context, ids: readonly string[]): Promise<Team[]> {
  return context.em().find(Team, { id: { $in: [...ids] } }, { refresh: true })
}
