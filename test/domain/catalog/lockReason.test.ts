import { expect, test } from 'vitest'
import type { LockReason } from '../../../src/contract/shapes/family.ts'
import { type Availability, lockOf, lockReasonOf, lockRefusal } from '../../../src/domain/catalog/lockReason.ts'

const open = { id: 'kite', available: true, requiresSubscription: false, restricted: false }
const restricted = { ...open, restricted: true }
const paid = { ...open, requiresSubscription: true }
const offline = { ...open, available: false }

function availability(changes: Partial<Availability> = {}): Availability {
  return { overrides: new Map(), subscriptionActive: false, ...changes }
}

const off = new Map([['kite', false]])
const on = new Map([['kite', true]])
const mine = new Set(['kite'])

const cases: [what: string, family: typeof open, facts: Availability, reason: LockReason | undefined][] = [
  ['an open family', open, availability(), undefined],
  ['an offline family', offline, availability(), 'temporarily_unavailable'],
  ['a family that an operator switched off', open, availability({ overrides: off }), 'temporarily_unavailable'],
  ['an offline family that an operator switched on', offline, availability({ overrides: on }), undefined],
  [
    'an offline family with an override of another one',
    offline,
    availability({ overrides: new Map([['other', true]]) }),
    'temporarily_unavailable',
  ],
  ['a paid family without a subscription', paid, availability(), 'subscription_required'],
  ['a paid family with a subscription', paid, availability({ subscriptionActive: true }), undefined],
  ['a paid and offline family without a subscription', { ...paid, available: false }, availability(), 'subscription_required'],
  [
    'a paid and offline family with one',
    { ...paid, available: false },
    availability({ subscriptionActive: true }),
    'temporarily_unavailable',
  ],
  ['a family that the team disabled', paid, availability({ disabledByTeam: mine }), 'disabled_by_team'],
  ['a restricted family for a caller who needs no grant', restricted, availability(), undefined],
  ['a restricted family without a grant', restricted, availability({ grantedToTeam: new Set(), disabledByTeam: mine }), 'access_denied'],
  ['a restricted family with a grant', restricted, availability({ grantedToTeam: mine }), undefined],
  ['a granted family that the team disabled', restricted, availability({ grantedToTeam: mine, disabledByTeam: mine }), 'disabled_by_team'],
  ['any family while external access is closed', open, availability({ externalAccess: false, disabledByTeam: mine }), 'access_denied'],
]

test.each(cases)('%s is locked for the first reason that applies, or open', (_what, family, facts, reason) => {
  expect(lockReasonOf(family, facts)).toBe(reason)
})

test('a start on a locked family is refused with the cause of the lock', () => {
  const locks = [
    lockOf(open, availability({ externalAccess: false })),
    lockOf(restricted, availability({ grantedToTeam: new Set() })),
    lockOf(open, availability({ disabledByTeam: mine })),
    lockOf(paid, availability()),
    lockOf(offline, availability()),
  ]
  expect(locks.map((lock) => lock && lockRefusal(lock, 'kite')).map((refusal) => [refusal?.code, refusal?.details])).toEqual([
    ['access_denied', { cause: 'external_access_off' }],
    ['access_denied', { cause: 'family_restricted' }],
    ['access_denied', { cause: 'family_disabled_by_team' }],
    ['subscription_required', { familyId: 'kite' }],
    ['family_unavailable', { familyId: 'kite', retryAfterSeconds: 60 }],
  ])
})
