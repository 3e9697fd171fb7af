import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drill } from './recovery/drill.ts'
import { toMoment } from './recovery/toMoment.ts'

/**
 * Tests the procedures of docs/recovery.md on temporary servers: a backup under load that is killed, repeated and restored, and point-in-time
 * recovery. The arguments are folders of PostgreSQL programs, by default `/usr/lib/postgresql/15/bin`.
 */
const given = process.argv.slice(2)
for (const programs of given.length > 0 ? given : ['/usr/lib/postgresql/15/bin']) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-recovery-'))
  // The account of PostgreSQL needs access.
  await chmod(folder, 0o711)
  const printLine = (line: string) => process.stdout.write(`${programs}: ${line}\n`)
  try {
    await drill(programs, folder, { printLine })
    const hasBaseBackup = await stat(join(programs, 'pg_basebackup')).then(
      () => true,
      () => false,
    )
    if (hasBaseBackup) await toMoment(programs, folder, { printLine })
    else printLine('has no pg_basebackup: point-in-time recovery was skipped')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
