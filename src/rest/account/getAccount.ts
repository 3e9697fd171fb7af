import { account } from '../../contract/shapes/account.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { type Example, endpoint } from '../endpoint.ts'

const accountExamples: Record<string, Example> = {
  team: {
    summary: 'A key with a daily ceiling',
    value: {
      creditsAvailable: 326,
      team: {
        id: 'team_01kabc5m1dexampleexample00',
        name: 'Studio',
        state: 'active',
        expiresAt: '2027-03-01T00:00:00.000Z',
        limits: {
          monthly: {
            limitCredits: 5000,
            spentCredits: 1210,
            heldCredits: 14,
            remainingCredits: 3776,
            resetsAt: '2026-12-01T00:00:00.000Z',
          },
        },
      },
      files: { filesUsed: 12, filesMax: 10_000, bytesUsed: 48_213_004, bytesMax: 10_737_418_240 },
      key: {
        id: 'key_01kabc5m1dexampleexample00',
        name: 'render-bot',
        prefix: 'atl_7Hq2Vb0x',
        permissions: ['catalog:read', 'generations:read'],
        expiresAt: '2027-01-01T00:00:00.000Z',
        previousValueEndsAt: null,
        limits: {
          daily: { limitCredits: 500, spentCredits: 60, heldCredits: 14, remainingCredits: 426, resetsAt: '2026-11-21T00:00:00.000Z' },
          monthly: { limitCredits: null, spentCredits: 840, heldCredits: 14, remainingCredits: null, resetsAt: '2026-12-01T00:00:00.000Z' },
          single: { limitCredits: null },
        },
      },
    },
  },
}

export const getAccount = endpoint({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: 'Account',
  summary: 'Get the account',
  description: 'The available credits, the state of the team, and the ceilings, spending, permissions and expiry of the key.',
  scope: 'account:read',
  query: noQuery,
  success: { status: 200, description: 'The account of the key.', schema: account, examples: accountExamples },
  refusals: [],
  source: { kind: 'query', name: 'account' },
})
