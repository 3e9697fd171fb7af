import { importViolations } from './importViolations.ts'
import { readSources } from './readSources.ts'

/** Prints forbidden imports of files in `src`, one per line; exits with 1 if there are any. */
const faults = importViolations(readSources('src'))
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
