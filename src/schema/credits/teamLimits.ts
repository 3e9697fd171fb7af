import { creditsOf } from '../../contract/hundredths.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { lowCreditsThresholdOf } from '../../domain/credits/lowCreditsThreshold.ts'
import { spendThisMonthOf } from '../../domain/credits/monthlyCeiling.ts'
import { limitKinds, type NearestLimit, nearestLimits } from '../../domain/credits/nearestLimits.ts'
import { type WorkUnderWay, workUnderWay } from '../../domain/credits/workUnderWay.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { pageSize } from '../core/keysetConnection.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { TeamType } from '../teams/team.ts'

const LimitKind = builder.enumType('LimitKind', {
  description:
    'The kind of a limit. The first three close the team; CREDITS is its account; ceilings belong to a key, TEAM_MONTHLY_CEILING is the budget of the team.',
  values: enumValues(limitKinds),
})

const LimitType = builder.objectRef<NearestLimit>('Limit')

const amount = (value: Hundredths | null) => (value === null ? null : creditsOf(value))

builder.objectType(LimitType, {
  description: 'A limit that stops starts of a team.',
  authScopes: { caller: true },
  fields: (t) => ({
    kind: t.expose('kind', { type: LimitKind }),
    key: t.field({ type: ApiKeyType, nullable: true, description: 'The key with the ceiling.', resolve: ({ keyId }) => keyId }),
    leftCredits: t.float({
      description: 'The maximum price of a start under this limit; 0 if it stops every start.',
      resolve: ({ left }) => creditsOf(left),
    }),
    limitCredits: t.float({ nullable: true, description: 'The ceiling.', resolve: ({ limit }) => amount(limit) }),
    spentCredits: t.float({
      nullable: true,
      description: 'Credits charged today, or this month for a monthly ceiling.',
      resolve: ({ spent }) => amount(spent),
    }),
    heldCredits: t.float({ nullable: true, description: 'Credits that running generations hold.', resolve: ({ held }) => amount(held) }),
    resetsAt: t.expose('resetsAt', { type: 'DateTime', nullable: true, description: 'When a daily or monthly ceiling is reset.' }),
  }),
})

const UnderWayType = builder.objectRef<WorkUnderWay>('WorkUnderWay')

builder.objectType(UnderWayType, {
  description: 'Generations that have not ended and that the account pays.',
  authScopes: { caller: true },
  fields: (t) => ({
    queued: t.exposeInt('queued'),
    running: t.exposeInt('running'),
    finalizing: t.exposeInt('finalizing'),
    creditsHeld: t.float({ resolve: ({ held }) => creditsOf(held) }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  monthlyLimitCredits: t.float({
    nullable: true,
    description: 'The monthly budget: what the account may spend in a calendar month (UTC), including held credits. Null: no budget.',
    resolve: async ({ id }, _args, { context }) => amount((await spendThisMonthOf(context, { accountId: accountIdOf(id) })).monthlyLimit),
  }),
  lowCreditsThreshold: t.float({
    nullable: true,
    description: 'The alert `credits.low` is sent while fewer credits are available. Null: never.',
    resolve: async ({ id }, _args, { context }) => amount(await lowCreditsThresholdOf(context, accountIdOf(id))),
  }),
  spentThisMonthCredits: t.float({
    description: 'Credits charged to the account since the month began in UTC.',
    resolve: async ({ id }, _args, { context }) =>
      creditsOf((await spendThisMonthOf(context, { accountId: accountIdOf(id) })).spentThisMonth),
  }),
  limits: t.field({
    type: [LimitType],
    ...countsAsPage,
    description: 'The limits that stop starts of the team, the nearest first. CREDITS is always included.',
    args: { first: t.arg.int({ defaultValue: 5, description: 'The maximum of ceilings of each kind, 1 to 50.' }) },
    resolve: ({ id }, { first }, { context }) => nearestLimits(context, id, pageSize({ first }, 5)),
  }),
  workUnderWay: t.field({
    type: UnderWayType,
    ...countsAsPage,
    resolve: ({ id }, _args, { context }) => workUnderWay(context, { ownerId: id, accountId: accountIdOf(id) }),
  }),
}))
