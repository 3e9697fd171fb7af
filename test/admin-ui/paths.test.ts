import { expect, test } from 'vitest'
import { paths, returnAddress } from '../../src/admin-ui/paths.ts'

const origin = 'https://media.example.com'

test.each([
  ['/integrations/team_1/keys?search=a#b', '/integrations/team_1/keys?search=a#b'],
  [`${origin}/integrations/team_1/history`, '/integrations/team_1/history'],
])('whoever asked for %s comes back to it', (asked, address) => {
  expect(returnAddress(asked, origin)).toBe(address)
})

test.each([
  null,
  '',
  '/',
  '/integrations',
  '/graphql',
  '//evil.example/integrations/x',
  'https://evil.example/integrations/team_1/keys',
  'javascript:alert(1)',
  '/integrations/../auth/sign-out',
  '/integrations\\..\\..\\evil',
  '/integrations/sign-in?next=/integrations/x',
])('%s is no address to come back to', (asked) => {
  expect(returnAddress(asked, origin)).toBe('/integrations')
})

test('filters that are not set are no part of an address', () => {
  expect(paths.screen('team_1', 'history', { key: 'key_1', state: undefined, reference: '' })).toBe('/team_1/history?key=key_1')
})
