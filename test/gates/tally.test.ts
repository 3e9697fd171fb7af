import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'atelier-tally-'))

type TestResult = { status: string; fullName?: string; failureMessages?: string[] }
type Result = { name: string; status: string; message?: string; assertionResults: TestResult[]; startTime: number; endTime: number }

const aFile = (name: string, seconds: number, statuses: string[]): Result => ({
  name: join(root, name),
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status })),
  startTime: 0,
  endTime: seconds * 1000,
})

function aReport(name: string, testResults: Result[]): string {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const numberOf = (status: string) => statuses.filter((each) => each === status).length
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ numPassedTests: numberOf('passed'), numFailedTests: numberOf('failed'), testResults }))
  return path
}

function tally(...asked: string[]): { lines: string[]; exit: number | null } {
  const { stdout, status } = spawnSync(process.execPath, ['.ci/tally.js', ...asked], { cwd: root, encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), exit: status }
}

const well = aReport('well.json', [aFile('test/a.test.ts', 1, ['passed', 'passed']), aFile('test/b.test.ts', 12, ['passed'])])

test('the last line sums the tests of all runs, after the slowest files of all', () => {
  const drills = aReport('drills.json', [aFile('test/c.test.ts', 5, ['passed'])])
  expect(tally('0', `${well}=0`, `${drills}=0`)).toEqual({
    lines: [
      'The slowest test files:',
      '   12.0 s  test/b.test.ts',
      '    5.0 s  test/c.test.ts',
      '    1.0 s  test/a.test.ts',
      '4 passed, 0 failed',
    ],
    exit: 0,
  })
})

test.each([
  ['a failed test', aReport('failed.json', [aFile('test/a.test.ts', 1, ['passed', 'failed'])]), '1', '1 passed, 1 failed'],
  ['a file that could not be loaded', aReport('unloaded.json', [aFile('test/a.test.ts', 1, [])]), '1', '0 passed, 1 failed'],
  ['a run that broke after its tests', well, '1', '3 passed, 1 failed'],
  ['a run without a report', join(folder, 'none.json'), '1', '0 passed, 1 failed'],
])('%s counts as a failure', (_what, report, exitCode, line) => {
  const { lines, exit } = tally('0', `${report}=${exitCode}`)
  expect(lines.at(-1)).toBe(line)
  expect(exit).toBe(1)
})

test('the end names each failed test with the first lines of its error', () => {
  const broken: Result = { ...aFile('test/a.test.ts', 1, []), message: 'Cannot find module' }
  const failed: Result = {
    ...aFile('test/b.test.ts', 1, ['failed']),
    assertionResults: [{ status: 'failed', fullName: 'keys are kept', failureMessages: ['AssertionError: expected 1 to be 2'] }],
  }
  const { lines } = tally('0', `${aReport('named.json', [broken, failed])}=1`)
  expect(lines.slice(-3)).toEqual([
    'failed: test/a.test.ts: Cannot find module',
    'failed: test/b.test.ts > keys are kept: AssertionError: expected 1 to be 2',
    '0 passed, 2 failed',
  ])
})

test('failed checks count as a failure', () => {
  const { lines, exit } = tally('1', `${well}=0`)
  expect(lines.slice(-2)).toEqual(['npm run check failed', '3 passed, 1 failed'])
  expect(exit).toBe(1)
})
