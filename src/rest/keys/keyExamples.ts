import type { Example } from '../endpoint.ts'

const key = {
  id: 'key_01kabc5m1dexampleexample00',
  name: 'render-bot',
  prefix: 'atl_7Hq2Vb0x',
  scopes: ['generations:read', 'generations:write'],
  state: 'live',
  issuedBy: { id: 'user_01kabc5m1dexampleexample00', name: 'Ada' },
  dailyLimitCredits: 500,
  monthlyLimitCredits: null,
  singleLimitCredits: null,
  confirmAboveCredits: null,
  spentTodayCredits: 60,
  spentThisMonthCredits: 840,
  heldCredits: 14,
  createdAt: '2026-11-02T09:30:00.000Z',
  lastUsedAt: '2026-11-20T11:59:30.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  revokedAt: null,
  previousPrefix: null,
  previousValueEndsAt: null,
}

const value = 'atl_7Hq2Vb0xExampleExampleExampleExampleExampleExam00'

export const keyExamples: Record<string, Example> = { key: { summary: 'A key', value: key } }
export const keyListExamples: Record<string, Example> = { page: { summary: 'The only page', value: { items: [key], nextCursor: null } } }
export const keyWithValueExamples: Record<string, Example> = { value: { summary: 'The value, shown once', value: { apiKey: key, value } } }

export const newKeyExamples: Record<string, Example> = {
  program: {
    summary: 'A key for a program',
    value: {
      name: 'render-bot',
      scopes: ['generations:read', 'generations:write'],
      dailyLimitCredits: 500,
      expiresAt: '2027-01-01T00:00:00Z',
    },
  },
}
export const keyChangeExamples: Record<string, Example> = { ceiling: { summary: 'Another ceiling', value: { dailyLimitCredits: 250 } } }
export const overlapExamples: Record<string, Example> = { overlap: { summary: 'An overlap of a day', value: { overlapHours: 24 } } }
