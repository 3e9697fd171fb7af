import { creditsOf } from '../../contract/hundredths.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { type UsageOfDay, type UsageSplit, usageByDay, usageSplits } from '../../domain/credits/usageByDay.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { pageSize } from '../core/keysetConnection.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { TeamType } from '../teams/team.ts'

const UsageOfDayType = builder.objectRef<UsageOfDay & { by: UsageSplit }>('UsageOfDay')

builder.objectType(UsageOfDayType, {
  description: 'The usage of one key or family on one day, or of all others together.',
  authScopes: { caller: true },
  fields: (t) => ({
    day: t.exposeString('day', { description: 'A day in UTC, YYYY-MM-DD.' }),
    key: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'Null also for generations that an internal tool started.',
      resolve: ({ by, group }) => (by === 'key' ? group : null),
    }),
    familyId: t.string({ nullable: true, resolve: ({ by, group }) => (by === 'family' ? group : null) }),
    isRest: t.exposeBoolean('isRest', { description: 'Whether it sums all keys or families without their own lines.' }),
    generations: t.exposeInt('generations'),
    creditsCharged: t.float({ resolve: ({ charged }) => creditsOf(charged) }),
  }),
})

const UsageSplitBy = builder.enumType('UsageSplit', { values: enumValues(usageSplits) })

builder.objectField(TeamType, 'usageByDay', (t) =>
  t.field({
    type: [UsageOfDayType],
    ...countsAsPage,
    description: 'The days of `usage`, each split by the most expensive keys or families of the span. Days without usage are omitted.',
    args: {
      from: t.arg({ type: 'DateTime', required: true }),
      to: t.arg({ type: 'DateTime', required: true, description: 'The end of the span, exclusive.' }),
      by: t.arg({ type: UsageSplitBy, required: true }),
      first: t.arg.int({ defaultValue: 5, description: 'The number of keys or families with their own lines, 1 to 50.' }),
      keyId: t.arg.id({ description: 'Only the usage of this key.' }),
    },
    resolve: async ({ id }, { first, ...span }, { context }) =>
      (await usageByDay(context, { ownerId: id, accountId: accountIdOf(id) }, { ...span, first: pageSize({ first }, 5) })).map((each) => ({
        ...each,
        by: span.by,
      })),
  }),
)
