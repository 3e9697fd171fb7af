import { expect, test } from 'vitest'
import { readGroupsClaim } from '../../src/auth/groupsClaim.ts'

const groups = ['renderers', '/studio/leads', 'Équipe  3D']

test.each([
  ['groups', { groups }],
  ['realm_access.roles', { realm_access: { roles: groups } }],
  ['https://example.com/groups', { 'https://example.com/groups': groups }],
  ['a.b', { 'a.b': groups, a: { b: ['of the nested claim'] } }],
])('the claim %s is found by its name, otherwise as a path into nested claims', (claim, claims) => {
  expect(readGroupsClaim(claims, claim)).toEqual(groups)
})

test.each([
  ['groups', {}],
  ['realm_access.roles', { realm_access: 'roles' }],
  ['realm_access.roles', { realm_access: null }],
  ['constructor.name', {}],
  ['groups.length', { groups: [] as string[] }.groups as never],
])('in a token without it, the claim %s is missing', (claim, claims) => {
  expect(readGroupsClaim(claims, claim)).toBe('missing')
})

test.each([[null], ['renderers'], [{ renderers: true }], [['renderers', 1]], [Array.from({ length: 1001 }, (_, at) => `group ${at}`)]])(
  'a claim of another form, or with more than 1,000 groups, is malformed',
  (value) => {
    expect(readGroupsClaim({ groups: value }, 'groups')).toBe('malformed')
  },
)

test('groups that no team can map are left out, and a repeated group counts once', () => {
  const odd = ['a\0b', '\ud800', '', 'x'.repeat(201), 'kept', 'kept', 'k\u0301', "'; drop table teams"]
  expect(readGroupsClaim({ groups: odd }, 'groups')).toEqual(['kept', 'k\u0301', "'; drop table teams"])
})
