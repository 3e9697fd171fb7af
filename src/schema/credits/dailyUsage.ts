import { creditsOf } from '../../contract/hundredths.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { type DailyUsage, dailyUsageOf, timedPerDay } from '../../domain/credits/dailyUsage.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { TeamType } from '../teams/team.ts'

const DailyUsageType = builder.objectRef<DailyUsage>('DailyUsage').implement({
  description: 'The usage of one key or one family on one day.',
  authScopes: { caller: true },
  fields: (t) => ({
    day: t.exposeString('day', { description: 'A day in UTC, YYYY-MM-DD.' }),
    generations: t.exposeInt('generations', { description: 'Generations that ended on the day.' }),
    ready: t.exposeInt('ready', { description: 'Generations that ended with a result.' }),
    failed: t.exposeInt('failed', { description: 'Generations that failed.' }),
    cancelled: t.exposeInt('cancelled', { description: 'Generations that were cancelled.' }),
    creditsCharged: t.float({ description: 'The credits that the generations cost.', resolve: ({ charged }) => creditsOf(charged) }),
    timed: t.exposeInt('timed', {
      description: `The ready generations that the seconds are of: the newest that started on the day, at most ${timedPerDay}.`,
    }),
    medianSeconds: t.exposeFloat('medianSeconds', { nullable: true, description: 'The median time from the request to the result.' }),
    p95Seconds: t.exposeFloat('p95Seconds', { nullable: true, description: 'The time within which 95% of them were ready.' }),
    medianQueueSeconds: t.exposeFloat('medianQueueSeconds', {
      nullable: true,
      description: 'The median time from the request to `startedAt`.',
    }),
    p95QueueSeconds: t.exposeFloat('p95QueueSeconds', { nullable: true, description: 'The time within which 95% of them began.' }),
    medianRunSeconds: t.exposeFloat('medianRunSeconds', { nullable: true, description: 'The median time from `startedAt` to the result.' }),
    p95RunSeconds: t.exposeFloat('p95RunSeconds', {
      nullable: true,
      description: 'The time that 95% of them ran at most, from `startedAt` to the result.',
    }),
  }),
})

builder.objectField(TeamType, 'dailyUsage', (t) =>
  t.field({
    type: [DailyUsageType],
    ...countsAsPage,
    description: 'The days of `usage` of one key or one family, with the time that its generations took. Days without usage are omitted.',
    args: {
      from: t.arg({ type: 'DateTime', required: true, description: 'The start of the span.' }),
      to: t.arg({ type: 'DateTime', required: true, description: 'The end of the span, exclusive.' }),
      keyId: t.arg.id({ description: 'The key; or `familyId`.' }),
      familyId: t.arg.string({ description: 'The family; or `keyId`.' }),
    },
    resolve: ({ id }, asked, { context }) => dailyUsageOf(context, { ownerId: id, accountId: accountIdOf(id) }, asked),
  }),
)
