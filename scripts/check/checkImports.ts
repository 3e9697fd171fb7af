import { importViolations } from './importViolations.ts'
import { readSources } from './readSources.ts'

/** Says which files of `src` import what they may not, a line each; exits with 1 when any does. */
const faults = importViolations(readSources('src'))
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
