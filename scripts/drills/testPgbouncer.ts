import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Runs the tests of money, jobs and webhooks with DATABASE_URL through PgBouncer in transaction mode and a direct DATABASE_DIRECT_URL, also
 * with real `serve` and `work` processes, some of which are killed. Arguments replace the list of files.
 */
const files = [
  'test/database/pool/adaptToTransactionPooler.test.ts',
  'test/database/pool/orm.test.ts',
  'test/database/liveness/liveness.test.ts',
  'test/domain/credits',
  'test/domain/access/admission/admissionBatcher.test.ts',
  'test/domain/generations/start/startBatcher.test.ts',
  'test/rest/idempotency.test.ts',
  'test/rest/history.test.ts',
  'test/rest/usage.test.ts',
  'test/schema/webhooks/webhookDeliveryLists.test.ts',
  'test/jobs/runners/runQueue.test.ts',
  'test/jobs/runners/worker.test.ts',
  'test/jobs/queues.test.ts',
  'test/faults/killedStarts.test.ts',
  'test/faults/slotsOfTheKilled.test.ts',
  'test/faults/workerKills.test.ts',
]
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']
const found = await Promise.any(folders.map((folder) => access(join(folder, 'pgbouncer'), constants.X_OK))).then(
  () => true,
  () => false,
)
if (!found) {
  process.stderr.write('pgbouncer is not on PATH: install it, on Debian with apt-get install pgbouncer\n')
  process.exit(2)
}
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs')
const env = { ...process.env, TEST_PGBOUNCER: '1' }
const asked = process.argv.slice(2)
const running = spawn(process.execPath, [vitest, 'run', ...(asked.length > 0 ? asked : files)], { env, stdio: 'inherit' })
const [code] = await once(running, 'exit')
process.exitCode = typeof code === 'number' ? code : 1
