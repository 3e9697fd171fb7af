import { runNpm } from '../runNpm.ts'
import { parseAuditReport } from './parseAuditReport.ts'

/**
 * Exits with 1 if a production package has a high or critical advisory. If the registry does not answer (a mirror without advisories, no
 * network), this is printed and the check passes, so that offline work is possible.
 */
const audit = ['audit', '--omit=dev', '--audit-level=high', '--json', '--offline=false', '--fetch-retries=0', '--fetch-timeout=20000']
const { stdout } = runNpm(audit, { cwd: new URL('../..', import.meta.url), timeout: 60_000 })
const verdict = parseAuditReport(stdout ?? '')

if (verdict.state === 'no answer') {
  process.stdout.write(`advisories: not checked: the registry does not answer (${verdict.reason})\n`)
} else {
  for (const finding of verdict.findings) process.stdout.write(`advisories: ${finding}\n`)
  if (verdict.findings.length === 0) process.stdout.write('advisories: none is high or critical\n')
  process.exitCode = verdict.findings.length === 0 ? 0 : 1
}
