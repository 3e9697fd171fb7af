import { expect, test } from 'vitest'
import { parseAuditReport } from '../../../scripts/check/parseAuditReport.ts'

const advisory = { title: 'Requests can be smuggled', url: 'https://advisories.example/1' }

test('a high or critical advisory is a finding for the package and its dependents; lower ones are not', () => {
  const printed = JSON.stringify({
    vulnerabilities: {
      wire: { severity: 'critical', range: '<2.0.0', via: [advisory] },
      door: { severity: 'high', range: '>=1.0.0', via: ['wire'] },
      lamp: { severity: 'moderate', range: '*', via: [advisory] },
    },
  })
  expect(parseAuditReport(printed)).toEqual({
    state: 'checked',
    findings: ['wire <2.0.0, critical: Requests can be smuggled, https://advisories.example/1', 'door >=1.0.0, high: through wire'],
  })
})

test('a report without advisories has no findings', () => {
  expect(parseAuditReport('{"vulnerabilities":{}}')).toEqual({ state: 'checked', findings: [] })
})

test.for([
  [
    '{"message":"405 Method Not Allowed - POST https://registry.example/bulk","error":{"summary":"","detail":""}}',
    '405 Method Not Allowed',
  ],
  ['{"error":{"code":"ENOLOCK","summary":"This command requires\\nan existing lockfile."}}', 'ENOLOCK'],
  ['', 'npm printed no report'],
  ['<html>', 'npm printed no report'],
  ['null', 'npm printed no report'],
] as const)('a registry error is distinguished from a report without advisories: %s', ([printed, reason]) => {
  expect(parseAuditReport(printed)).toEqual({ state: 'no answer', reason })
})
