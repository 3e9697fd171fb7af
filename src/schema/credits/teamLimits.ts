import { creditsOf } from '../../contract/hundredths.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
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
  description: 'What a limit is of: the first three close the team, CREDITS are those of its account, ceilings belong to a key.',
  values: enumValues(limitKinds),
})

const LimitType = builder.objectRef<NearestLimit>('Limit')

const amount = (value: Hundredths | null) => (value === null ? null : creditsOf(value))

builder.objectType(LimitType, {
  description: 'Something that stops starts of a team.',
  authScopes: { caller: true },
  fields: (t) => ({
    kind: t.expose('kind', { type: LimitKind }),
    key: t.field({ type: ApiKeyType, nullable: true, description: 'Whose ceiling it is.', resolve: ({ keyId }) => keyId }),
    leftCredits: t.float({
      description: 'What a start under it may cost at most; 0 where it stops every one.',
      resolve: ({ left }) => creditsOf(left),
    }),
    limitCredits: t.float({ nullable: true, description: 'The ceiling.', resolve: ({ limit }) => amount(limit) }),
    spentCredits: t.float({ nullable: true, description: 'What counts towards it today.', resolve: ({ spent }) => amount(spent) }),
    heldCredits: t.float({ nullable: true, description: 'What work under way holds.', resolve: ({ held }) => amount(held) }),
    resetsAt: t.expose('resetsAt', { type: 'DateTime', nullable: true, description: 'When a daily ceiling begins anew.' }),
  }),
})

const UnderWayType = builder.objectRef<WorkUnderWay>('WorkUnderWay')

builder.objectType(UnderWayType, {
  description: 'Generations that have not ended and are paid by the account.',
  authScopes: { caller: true },
  fields: (t) => ({
    queued: t.exposeInt('queued'),
    running: t.exposeInt('running'),
    finalizing: t.exposeInt('finalizing'),
    creditsHeld: t.float({ resolve: ({ held }) => creditsOf(held) }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  limits: t.field({
    type: [LimitType],
    ...countsAsPage,
    description: 'What stops the next start of the team, the nearest first; the credits are always among them.',
    args: { first: t.arg.int({ defaultValue: 5, description: 'So many ceilings of each kind at most, 1 to 50.' }) },
    resolve: ({ id }, { first }, { context }) => nearestLimits(context, id, pageSize({ first }, 5)),
  }),
  workUnderWay: t.field({
    type: UnderWayType,
    ...countsAsPage,
    resolve: ({ id }, _args, { context }) => workUnderWay(context, { ownerId: id, accountId: accountIdOf(id) }),
  }),
}))
