// tally.js <vitest's JSON report> <exit code of the tests> <exit code of the checks>
import { readFileSync } from 'node:fs'

const [reportPath, tested, checked] = process.argv.slice(2)
const { passed, failed } = countTests()
const brokenSteps = (tested !== '0' && failed === 0 ? 1 : 0) + (checked !== '0' ? 1 : 0)

if (checked !== '0') process.stdout.write('npm run check failed\n')
process.stdout.write(`${passed} passed, ${failed + brokenSteps} failed\n`)
process.exitCode = failed + brokenSteps === 0 && passed > 0 ? 0 : 1

function countTests() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(reportPath, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests + testResults.filter(brokeOutsideItsTests).length }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** A file that could not be loaded, or whose hooks failed: its tests were never judged. */
function brokeOutsideItsTests({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((result) => result.status === 'failed')
}
