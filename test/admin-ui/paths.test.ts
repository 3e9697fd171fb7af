import { expect, test } from 'vitest'
import { paths, returnAddress } from '../../src/admin-ui/paths.ts'

const origin = 'https://media.example.com'

test.each([
  ['/integrations/team_1/keys?search=a#b', '/integrations/team_1/keys?search=a#b'],
  [`${origin}/integrations/team_1/history`, '/integrations/team_1/history'],
])('the sign-in returns to %s', (asked, address) => {
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
])('the sign-in does not return to %s', (asked) => {
  expect(returnAddress(asked, origin)).toBe('/integrations')
})

test('unset filters are not in the URL', () => {
  expect(paths.screen('team_1', 'history', { key: 'key_1', state: undefined, reference: '' })).toBe('/team_1/history?key=key_1')
})
