import { expect, test } from 'vitest'
import { hundredths, nothing } from '../../../../src/contract/hundredths.ts'
import type { KeyAuthorization } from '../../../../src/domain/access/keys/keyAuthorization.ts'
import { hintsOf } from '../../../../src/domain/access/keys/keyHints.ts'
import type { ApiKey } from '../../../../src/entities/ApiKey.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const day = 24
const key = {
  dailyLimit: null,
  monthlyLimit: null,
  heldOpen: nothing,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: hoursAgo(1),
  createdAt: hoursAgo(100 * day),
} as ApiKey
const ceiling = hundredths(10_000)

test.each<
  [string, Partial<ApiKey> & { spent?: number; month?: number; without?: Partial<Record<keyof KeyAuthorization, true>> }, string[]]
>([
  ['used daily', {}, []],
  ['with 80 % spent', { dailyLimit: ceiling, spent: 8000 }, ['near_daily_ceiling']],
  ['with 80 % held or spent', { dailyLimit: ceiling, heldOpen: hundredths(5000), spent: 3000 }, ['near_daily_ceiling']],
  ['with slightly less', { dailyLimit: ceiling, heldOpen: hundredths(5000), spent: 2999 }, []],
  ['with 80 % of its month spent', { dailyLimit: ceiling, monthlyLimit: ceiling, month: 8000 }, ['near_monthly_ceiling']],
  ['with a ceiling of 0', { dailyLimit: nothing }, []],
  ['unused in its first day', { lastUsedAt: null, createdAt: hoursAgo(day) }, []],
  ['unused after its first day', { lastUsedAt: null, createdAt: hoursAgo(day + 0.01) }, ['never_used']],
  ['unused for 90 days', { lastUsedAt: hoursAgo(90 * day) }, []],
  ['unused for longer', { lastUsedAt: hoursAgo(90 * day + 0.01) }, ['idle']],
  ['that expires in a week', { expiresAt: hoursAgo(-7 * day) }, []],
  ['that expires in less than a week', { expiresAt: hoursAgo(-7 * day + 0.01) }, ['ends_soon']],
  ['whose issuer lost the role', { without: { issuer: true } }, ['issuer_without_role']],
  ['whose holder lost the role', { without: { holder: true } }, ['holder_without_role']],
  ['whose issuer and holder lost the role', { without: { issuer: true, holder: true } }, ['issuer_without_role']],
  ['whose previous holder lost the role', { without: { previousHolder: true } }, []],
  [
    'with several warnings',
    { lastUsedAt: null, expiresAt: hoursAgo(-1), without: { issuer: true } },
    ['issuer_without_role', 'ends_soon', 'never_used'],
  ],
  ['that has expired', { expiresAt: now, lastUsedAt: null, without: { issuer: true, holder: true } }, []],
  ['that was revoked', { revokedAt: now, lastUsedAt: null, dailyLimit: ceiling, spent: 10_000 }, []],
])('a key %s', (_, { spent = 0, month = 0, without = {}, ...changed }, hints) => {
  const authority = { issuer: !without.issuer, holder: !without.holder, previousHolder: !without.previousHolder }
  const present = { ...key, ...changed }
  const dailyLeft = present.dailyLimit === null ? null : hundredths(present.dailyLimit - spent - present.heldOpen)
  const monthlyLeft = present.monthlyLimit === null ? null : hundredths(present.monthlyLimit - month - present.heldOpen)
  expect(hintsOf(present, { dailyLeft, monthlyLeft, authority, now })).toEqual(hints)
})
