type Severity = 'info' | 'low' | 'moderate' | 'high' | 'critical'

export type AuditReport = {
  vulnerabilities?: Record<string, { severity: Severity; range: string; via: ({ title: string; url: string } | string)[] }>
  message?: string
  error?: { code?: string; summary?: string }
}

export type AuditResult = { state: 'checked'; findings: string[] } | { state: 'no answer'; reason: string }

/** Parses the output of `npm audit --json`: one finding for each package with a high or critical advisory. */
export function parseAuditReport(printed: string): AuditResult {
  const report = parse(printed)
  if (report?.vulnerabilities === undefined) return { state: 'no answer', reason: reasonOf(report) }
  const grave = Object.entries(report.vulnerabilities).filter(([, { severity }]) => severity === 'high' || severity === 'critical')
  return {
    state: 'checked',
    findings: grave.map(([name, { severity, range, via }]) => {
      const causes = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title}, ${cause.url}`))
      return `${name} ${range}, ${severity}: ${causes.join('; ')}`
    }),
  }
}

function parse(printed: string): AuditReport | undefined {
  try {
    return JSON.parse(printed) as AuditReport
  } catch {
    return undefined
  }
}

/** Returns one line, without the URL that npm appends. */
function reasonOf(report: AuditReport | undefined): string {
  const words = report?.error?.code ?? report?.message ?? report?.error?.summary ?? ''
  return words.split(/ - |\n/)[0] || 'npm printed no report'
}
