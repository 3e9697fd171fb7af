// tally.js <exit code of the checks> <vitest's JSON report>=<exit code of its run>…
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const slowestShown = 10
const [checked, ...runs] = process.argv.slice(2)
const outcomes = runs.map((run) => countTests(...run.split('=')))
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0) + (checked === '0' ? 0 : 1)

const files = outcomes.flatMap((outcome) => outcome.files).toSorted((a, b) => b.seconds - a.seconds)
process.stdout.write('The slowest test files:\n')
for (const { path, seconds } of files.slice(0, slowestShown)) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${path}\n`)
for (const failure of outcomes.flatMap((outcome) => outcome.failures)) process.stdout.write(`failed: ${failure}\n`)
if (checked !== '0') process.stdout.write('npm run check failed\n')
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && outcomes.length > 0 && outcomes.every((outcome) => outcome.passed > 0) ? 0 : 1

/** A run that broke without naming a test counts as one failure. */
function countTests(reportPath, exitCode) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(reportPath, 'utf8'))
    const named = numFailedTests + testResults.filter(brokeOutsideItsTests).length
    return {
      passed: numPassedTests,
      failed: named === 0 && exitCode !== '0' ? 1 : named,
      files: testResults.map(timed),
      failures: testResults.flatMap(failuresOf),
    }
  } catch {
    return { passed: 0, failed: 1, files: [], failures: [`${reportPath} could not be read`] }
  }
}

/** The file could not be loaded or its hooks failed, so its tests did not run. */
function brokeOutsideItsTests({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((result) => result.status === 'failed')
}

/** A line per failed test: its file, its name and the first lines of its error, so that the end of a long log says what broke. */
function failuresOf({ name, status, message, assertionResults }) {
  const path = relative(process.cwd(), name)
  if (brokeOutsideItsTests({ status, assertionResults })) return [`${path}: ${firstLines(message)}`]
  return assertionResults
    .filter((result) => result.status === 'failed')
    .map((result) => `${path} > ${result.fullName}: ${firstLines(result.failureMessages?.[0])}`)
}

function firstLines(text) {
  return String(text ?? '')
    .split('\n', 8)
    .join('\n  ')
    .slice(0, 1_000)
}

function timed({ name, startTime, endTime }) {
  return { path: relative(process.cwd(), name), seconds: (endTime - startTime) / 1000 }
}
