import { creditsOf, hundredths, nothing } from '../../../contract/hundredths.ts'
import { isId, newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { PublicAccount } from '../../../contract/shapes/account.ts'
import { CreditAccount } from '../../../entities/CreditAccount.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import { Team } from '../../../entities/Team.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { parseCredits } from '../../parseCredits.ts'
import { parseName } from '../../parseText.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { accountIdOf } from '../spender.ts'
import { requireTeamRole } from './rolesOf.ts'

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
      requestsPerMinute: null,
      requestsInProgress: null,
      membersMayRun: false,
      runDailyLimit: null,
      createdAt,
      deletedAt: null,
    })
    await em.flush()
    em.create(CreditAccount, {
      id: accountIdOf(id),
      teamId: id,
      userId: null,
      balance: nothing,
      held: nothing,
      monthlyLimit: null,
      lowCreditsThreshold: null,
      createdAt,
    })
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
  /** Limits of requests of the members; `null`: those of the deployment. */
  requestsPerMinute?: number | null | undefined
  requestsInProgress?: number | null | undefined
  /** In credits; `null`: no monthly budget. */
  monthlyLimitCredits?: number | null | undefined
  /** In credits; `null`: no alert about low credits. */
  lowCreditsThreshold?: number | null | undefined
}

/**
 * Changes the given settings of a team. A budget below the credits already spent or held stops only new starts. People may change the
 * budget and the threshold of low credits alone.
 * Refusals: invalid_request at `id`, `name`, `monthlyLimitCredits` or `lowCreditsThreshold`; access_denied for a person whose role does not
 * permit it.
 * Locks: the team, its account. Contract: docs/contract.md#teams-and-members, docs/contract.md#ceilings.
 */
export async function updateTeam(context: Context, input: TeamChange): Promise<Team> {
  const { id, name, planExpiresAt, blocked, externalAccess } = input
  await requireTeam(context, id, 'id')
  const changes = omitUndefined({
    name: typeof name === 'string' ? parseName(name) : undefined,
    planExpiresAt,
    blocked: blocked ?? undefined,
    externalAccess: externalAccess ?? undefined,
    requestsPerMinute: parseTier(input.requestsPerMinute, 'requestsPerMinute', limits.requestsPerMinuteMax),
    requestsInProgress: parseTier(input.requestsInProgress, 'requestsInProgress', limits.requestsInProgressMax),
  })
  const budget = readBudget(input)
  await transaction(context, async (inside) => {
    await lockTeam(inside, id)
    const before = await requireTeam(inside, id, 'id')
    await requireTeamRole(inside, 'team.setBudget', {
      teamId: id,
      message: 'Only owners and administrators may set the budget of the team.',
    })
    const account = await inside.em().findOneOrFail(CreditAccount, { teamId: id }, { refresh: true })
    const changed = changesBetween({ ...settingsOf(before), ...loggedBudget(account) }, { ...changes, ...loggedBudget(budget) }, ['name'])
    if (!changed) return
    if (Object.keys(changes).length > 0) await inside.em().nativeUpdate(Team, { id }, changes)
    if (Object.keys(budget).length > 0) await inside.em().nativeUpdate(CreditAccount, { teamId: id }, budget)
    await recordAudit(inside, { action: 'team.updated', teamId: id, subjectId: id, ...changed })
  })
  return await requireTeam(context, id, 'id')
}

type Budget = { monthlyLimit?: Hundredths | null; lowCreditsThreshold?: Hundredths | null }

function readBudget(change: TeamChange): Budget {
  const read = (name: 'monthlyLimitCredits' | 'lowCreditsThreshold') => {
    const credits = change[name]
    return typeof credits === 'number' ? parseCredits(credits, name) : credits
  }
  return omitUndefined({ monthlyLimit: read('monthlyLimitCredits'), lowCreditsThreshold: read('lowCreditsThreshold') })
}

function loggedBudget({ monthlyLimit, lowCreditsThreshold }: Budget): {
  monthlyLimitCredits?: number | null
  lowCreditsThreshold?: number | null
} {
  const logged = (amount: Hundredths | null | undefined) => (typeof amount === 'number' ? creditsOf(hundredths(amount)) : amount)
  return omitUndefined({ monthlyLimitCredits: logged(monthlyLimit), lowCreditsThreshold: logged(lowCreditsThreshold) })
}

const lockById = statement<{ id: string }>('lock_team', 'select id from teams where id = $1 for no key update')

/** Locks the team until the end of the transaction, before its settings or members change. Does nothing for an unknown team. */
export async function lockTeam({ sql }: Context, id: string): Promise<void> {
  await sql.one(lockById, [id])
}

/** Refusals: invalid_request at `field`. */
function parseTier(given: number | null | undefined, field: string, max: number): number | null | undefined {
  if (typeof given !== 'number' || (given >= 1 && given <= max)) return given
  throw invalidRequest({ in: 'body', path: [field], code: given < 1 ? 'too_small' : 'too_big', message: `Takes 1 to ${max}, or null.` })
}

function settingsOf({ name, planExpiresAt, blocked, externalAccess, requestsPerMinute, requestsInProgress }: Team) {
  return { name, planExpiresAt, blocked, externalAccess, requestsPerMinute, requestsInProgress }
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

type TeamState = NonNullable<PublicAccount['team']>['state']

/** Whether keys of the team may be used, apart from its external access. Contract: docs/contract.md#get-the-account. */
export function teamStateOf({ blocked, planExpiresAt }: Pick<Team, 'blocked' | 'planExpiresAt'>, now: Date): TeamState {
  if (blocked) return 'blocked'
  return planExpiresAt !== null && planExpiresAt <= now ? 'expired' : 'active'
}
