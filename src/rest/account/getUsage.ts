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
  project: {
    summary: 'By the metadata `project`',
    value: {
      items: [
        { metadataValue: 'harbour', generations: 40, ready: 39, ...none, failed: 1, creditsCharged: 120 },
        { metadataValue: null, other: true, generations: 7, ready: 7, ...none, creditsCharged: 9.5 },
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
  summary: 'Get the usage',
  description: `The usage of the team over whole days in UTC, at most ${limits.usageDays}. A generation counts on the day of its end; an open one on the day of its start. Groups without generations are omitted. With \`by=reference\` or \`by=metadata\` the ${limits.usageLabels} most expensive values have lines, and one line with \`other\` sums up everything else. Only the first ${limits.usageLabelNamesPerDay} names of metadata of a day, and the first ${limits.usageLabelValuesPerDay.toLocaleString('en')} values of each name, can have lines.`,
  scope: 'account:read',
  query: usageQuery,
  success: {
    status: 200,
    description: 'Days in chronological order; other groups by their charged credits.',
    schema: usage,
    examples: usageExamples,
  },
  refusals: [],
  source: {
    kind: 'query',
    name: 'usage',
    variables: ({ query: { from, to, by, ...query } }) => ({
      ...query,
      from: from?.toISOString(),
      to: to?.toISOString(),
      by: by?.toUpperCase(),
    }),
  },
})
