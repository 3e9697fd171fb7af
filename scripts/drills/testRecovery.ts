import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drill } from './recovery/drill.ts'
import { toMoment } from './recovery/toMoment.ts'

/**
 * Proves docs/recovery.md on scratch servers: a backup under load, killed, run again and restored, and recovery to a moment. The arguments
 * are folders of PostgreSQL's programs, `/usr/lib/postgresql/15/bin` where Debian puts them when there are none.
 */
const given = process.argv.slice(2)
for (const programs of given.length > 0 ? given : ['/usr/lib/postgresql/15/bin']) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-recovery-'))
  // The account of PostgreSQL passes through.
  await chmod(folder, 0o711)
  const say = (line: string) => process.stdout.write(`${programs}: ${line}\n`)
  try {
    await drill(programs, folder, { say })
    const hasBaseBackup = await stat(join(programs, 'pg_basebackup')).then(
      () => true,
      () => false,
    )
    if (hasBaseBackup) await toMoment(programs, folder, { say })
    else say('has no pg_basebackup, so that recovery to a moment was left out')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
