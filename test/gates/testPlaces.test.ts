import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Tests of no one place in `src`. */
const apart = ['clients', 'docs', 'faults', 'fuzz', 'gates', 'support']

/** Rooms that are tested as their callers see them, so that a test is named after what is asked, not after a file. */
const doors = ['http', 'mcp', 'providers/sandbox', 'rest', 'rest/files', 'schema']

/** Named after a rule that several files of their folder keep together. Give a new test the name of a file instead. */
const rules = [
  'admin-ui/contractNames',
  'admin-ui/pictures',
  'admin-ui/story',
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

/** The tests that stand at no place of `sources`, which stand as below `src`; each by its path below `test` without its ending. */
function misplaced(tests: string[], sources: string[]): string[] {
  const namesOf = (folder: string) =>
    sources.filter((path) => dirname(path) === folder).map((path) => basename(path).replace(/\.(tsx?|js)$/, ''))
  return tests.filter((test) => {
    const folder = dirname(test)
    if (apart.includes(test.split('/')[0] ?? '') || rules.includes(test)) return false
    if (doors.includes(folder)) return !sources.some((path) => path.startsWith(`${folder}/`))
    return !namesOf(folder).some((name) => basename(test).startsWith(name))
  })
}

const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
const tests = below('test')
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => path.slice(0, -'.test.ts'.length))

test('every test stands where the file that it tests stands in src, under its name', () => {
  const apartFromSrc = ['bin', 'scripts'].flatMap((folder) => below(folder).map((path) => join(folder, path)))
  expect(misplaced(tests, [...below('src'), ...apartFromSrc])).toEqual([])
})

test('no exception outlives its test', () => {
  expect(rules.filter((path) => !existsSync(join(root, 'test', `${path}.test.ts`)))).toEqual([])
})

test.each([
  ['a file that is not there', 'domain/credits/refund'],
  ['another folder', 'domain/hold'],
  ['a room that is not there', 'helpers/hold'],
])('a test named after %s is told', (_what, path) => {
  expect(misplaced([path], ['domain/credits/hold.ts', 'rest/facade.ts'])).toEqual([path])
})

test('a test may tell one side of a file, and a door may be tested by what is asked of it', () => {
  expect(misplaced(['domain/credits/holdAtMidnight', 'rest/anything', 'gates/any'], ['domain/credits/hold.ts', 'rest/facade.ts'])).toEqual(
    [],
  )
})
