import { limits } from '../../contract/limits.ts'
import { usage, usageQuery } from '../../contract/shapes/usage.ts'
import { type Example, endpoint } from '../endpoint.ts'

const none = { failed: 0, cancelled: 0, active: 0, creditsHeld: 0 }

const usageExamples: Record<string, Example> = {
  day: {
    summary: 'Day by day',
    value: {
      items: [
        { day: '2026-11-19', generations: 12, ready: 12, ...none, creditsCharged: 31.5 },
        { day: '2026-11-20', generations: 9, ready: 6, failed: 1, cancelled: 0, active: 2, creditsCharged: 14, creditsHeld: 16 },
      ],
      nextCursor: null,
    },
  },
}

export const getUsage = endpoint({
  method: 'GET',
  path: '/usage',
  operationId: 'getUsage',
  tag: 'Account',
  summary: 'What was spent, by day, key or family',
  description: `The team's own usage over whole days in UTC, at most ${limits.usageDays} of them. What has ended counts on the day of its end, and what goes on, on that of its start. Days, keys and families without any are left out.`,
  scope: 'account:read',
  query: usageQuery,
  success: {
    status: 200,
    description: 'Days in their order; keys and families by what they cost.',
    schema: usage,
    examples: usageExamples,
  },
  refusals: [],
  source: {
    kind: 'query',
    name: 'usage',
    variables: ({ query: { from, to, by } }) => ({ from: from?.toISOString(), to: to?.toISOString(), by: by?.toUpperCase() }),
  },
})
