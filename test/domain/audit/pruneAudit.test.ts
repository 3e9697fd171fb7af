import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'

test.each([
  'migrations/functions/refuse_audit_change.sql',
  'src/admin-ui/pages/audit/AuditPage.tsx',
  'src/admin-ui/pages/audit/AuditPanel.tsx',
])('%s names the retention of the audit log that the limit sets', async (path) => {
  const days = [...(await readFile(path, 'utf8')).matchAll(/(\d+) days/g)].map(([, found]) => Number(found))
  expect([...new Set(days)]).toEqual([limits.auditLogDays])
})
