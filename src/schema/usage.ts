import { creditsOf } from '../contract/hundredths.ts'
import { accountIdOf } from '../domain/access/spender.ts'
import { type Usage, type UsageGroup, usageGroups, usageOf } from '../domain/credits/usageOf.ts'
import { ApiKeyType } from './apiKey.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'
import { TeamType } from './team.ts'

const UsageBy = builder.enumType('UsageBy', { values: enumValues(usageGroups) })

const UsageType = builder.objectRef<Usage & { by: UsageGroup }>('Usage')

builder.objectType(UsageType, {
  description: 'What one day, key or family came to, by the generations that ended in the span.',
  authScopes: { caller: true },
  fields: (t) => ({
    day: t.string({ nullable: true, description: 'A day in UTC, YYYY-MM-DD.', resolve: ({ by, group }) => (by === 'day' ? group : null) }),
    key: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'Null also for what an internal tool started.',
      resolve: ({ by, group }) => (by === 'key' ? group : null),
    }),
    familyId: t.string({ nullable: true, resolve: ({ by, group }) => (by === 'family' ? group : null) }),
    generations: t.exposeInt('generations'),
    ready: t.exposeInt('ready'),
    failed: t.exposeInt('failed'),
    cancelled: t.exposeInt('cancelled'),
    creditsCharged: t.float({ resolve: ({ charged }) => creditsOf(charged) }),
  }),
})

builder.objectField(TeamType, 'usage', (t) =>
  t.field({
    type: [UsageType],
    description: 'Whole days in UTC, from that of `from` to that of the last moment before `to`; at most 92 of them.',
    args: {
      from: t.arg({ type: 'DateTime', required: true }),
      to: t.arg({ type: 'DateTime', required: true, description: 'The first moment that no longer counts.' }),
      by: t.arg({ type: UsageBy, required: true }),
    },
    resolve: async ({ id }, span, { context }) => {
      const usage = await usageOf(context, { ownerId: id, accountId: accountIdOf(id) }, span)
      return usage.map((each) => ({ ...each, by: span.by }))
    },
  }),
)
