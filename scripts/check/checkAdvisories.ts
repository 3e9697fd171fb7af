import { spawnSync } from 'node:child_process'
import { parseAuditReport } from './parseAuditReport.ts'

/**
 * Exits with 1 when a package of production has a known advisory that is high or critical. A registry that cannot say (a mirror without
 * advisories, no network) is named and passes: what we cannot know must not stop those who work offline.
 */
const audit = ['audit', '--omit=dev', '--audit-level=high', '--json', '--offline=false', '--fetch-retries=0', '--fetch-timeout=20000']
const { stdout } = runNpm(audit)
const verdict = parseAuditReport(stdout)

if (verdict.state === 'no answer') {
  process.stdout.write(`advisories: not checked, since the registry does not answer (${verdict.reason})\n`)
} else {
  for (const finding of verdict.findings) process.stdout.write(`advisories: ${finding}\n`)
  if (verdict.findings.length === 0) process.stdout.write('advisories: none that is high or critical\n')
  process.exitCode = verdict.findings.length === 0 ? 0 : 1
}

/** The npm that runs us is a script, which starts in the same way on every platform; by its name it is a batch file on Windows. */
function runNpm(args: string[]): { stdout: string } {
  const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8', timeout: 60_000 } as const
  const script = process.env['npm_execpath']
  const { stdout } = script === undefined ? spawnSync('npm', args, options) : spawnSync(process.execPath, [script, ...args], options)
  return { stdout: stdout ?? '' }
}
