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
  summary: 'Get the usage by day, key or family',
  description: `The usage of the team over whole days in UTC, at most ${limits.usageDays}. A generation counts on the day of its end; an open one on the day of its start. Days, keys and families without generations are omitted.`,
  scope: 'account:read',
  query: usageQuery,
  success: {
    status: 200,
    description: 'Days in chronological order; keys and families by their charged credits.',
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
