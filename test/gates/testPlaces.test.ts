import { existsSync, globSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Folders of tests without a counterpart in `src`. */
const apart = ['admin-ui/flows', 'clients', 'docs', 'faults', 'fuzz', 'gates', 'support']

/** Rooms that are tested through their API, so that tests are named after requests instead of files. */
const doors = ['http', 'mcp', 'providers/sandbox', 'rest', 'rest/files', 'schema']

/** Tests named after a rule of several files in their folder. Name new tests after a file instead. */
const rules = [
  'admin-ui/contractNames',
  'admin-ui/lighthouse',
  'admin-ui/pictures',
  'cli/start',
  'contract/numbers',
  'domain/access/keys',
  'domain/catalog/resolveAnyShape',
  'domain/catalog/sandbox',
  'domain/credits/dayOfCapture',
  'domain/webhooks/refusalWords',
  'domain/webhooks/secrets',
  'domain/webhooks/subscriptions',
  'jobs/earnedFailures',
  'jobs/hangingProvider',
  'jobs/hangingProviderDelay',
  'media/inspectHostile',
  'media/inspectModels',
  'media/inspectAudioVideo',
  'media/inspectTruncated',
  'media/workers/confinement',
  'network/addressRules',
  'network/guardedConnection',
  'network/guardedDeadline',
  'network/refusedAddresses',
  'providers/conformance',
]

/** The tests without a file in `sources` (paths below `src`), by their paths below `test` without extension. */
function misplaced(tests: string[], sources: string[]): string[] {
  const namesOf = (folder: string) =>
    sources.filter((path) => dirname(path) === folder).map((path) => basename(path).replace(/\.(tsx?|js)$/, ''))
  return tests.filter((test) => {
    const folder = dirname(test)
    if (apart.some((each) => test.startsWith(`${each}/`)) || rules.includes(test)) return false
    if (doors.includes(folder)) return !sources.some((path) => path.startsWith(`${folder}/`))
    return !namesOf(folder).some((name) => basename(test).startsWith(name))
  })
}

const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
const tests = globSync('**/*.test.ts', { cwd: join(root, 'test'), exclude: ['node_modules'] }).map((path) =>
  path.slice(0, -'.test.ts'.length),
)

test('every test has the path and name of its source file', () => {
  const apartFromSrc = ['bin', 'scripts'].flatMap((folder) => below(folder).map((path) => join(folder, path)))
  expect(misplaced(tests, [...below('src'), ...apartFromSrc])).toEqual([])
})

test('every exception has a test', () => {
  expect(rules.filter((path) => !existsSync(join(root, 'test', `${path}.test.ts`)))).toEqual([])
})

test.each([
  ['a file that is not there', 'domain/credits/refund'],
  ['another folder', 'domain/hold'],
  ['a room that is not there', 'helpers/hold'],
])('a test named after %s is reported', (_what, path) => {
  expect(misplaced([path], ['domain/credits/hold.ts', 'rest/facade.ts'])).toEqual([path])
})

test('a test may cover one aspect of a file, and API tests may be named after requests', () => {
  expect(misplaced(['domain/credits/holdAtMidnight', 'rest/anything', 'gates/any'], ['domain/credits/hold.ts', 'rest/facade.ts'])).toEqual(
    [],
  )
})
