import { afterEach, expect, test, vi } from 'vitest'

/** Not a literal: the types of the pages that it loads need the style sheets of the bundle. */
const file: string = new URL('../../src/admin-ui/screens.ts', import.meta.url).pathname

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  '/integrations/team_1/constructor/x',
  '/integrations/team_1/toString/x',
  '/integrations/team_1/__proto__/x',
  '/integrations/team_1/constructor',
])('the pages can be loaded at the unknown address %s', async (pathname) => {
  vi.stubGlobal('location', { pathname })
  expect(await import(file)).toHaveProperty('screens.overview.Page', undefined)
})
