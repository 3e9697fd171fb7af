import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { proveSnapshot } from '../../src/backup/proveSnapshot.ts'
import { noProgress, type ShowProgress } from '../../src/database/progress.ts'
import { proveBackup, withVerification } from '../../src/domain/backups/backupProof.ts'
import { bindSql } from '../../src/domain/sql.ts'
import { readDeployment } from '../../src/metrics/deploymentGauges.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'

const deployment = await aDeploymentWithBackups()
afterAll(deployment.close)
const { services, aResult, aTarget, aDatabase, back, team } = deployment
const { log, pool } = services

async function prove(target: Awaited<ReturnType<typeof aTarget>>, showProgress = noProgress) {
  const manifest = await chooseSnapshot(target.storage, undefined)
  return proveSnapshot({ target: target.storage, manifest, scratchUrl: await aDatabase(), log, showProgress })
}

const proofAge = async () => (await readDeployment({ pool, log })).values.get('atelier_backup_proof_age_seconds')

test('a sound snapshot is restored with all rows and objects, and its proof is recorded and measured, with names for its steps', async () => {
  await aResult('what was made')
  const target = await aTarget()
  const { name, tables, objects } = await back(target)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const shown: string[] = []
  const showProgress: ShowProgress = (step) => {
    shown.push(step.label)
    return noProgress(step)
  }
  expect(await prove(target, showProgress)).toEqual({ rows, objects: objects.count, faults: [] })
  expect(shown.at(-1)).toBe('books')
  expect(shown).not.toContain('')
  expect(await proofAge()).toEqual([])
  expect(await proveBackup({ sql: bindSql(pool) }, 'of another database')).toBe(false)
  expect(await proveBackup({ sql: bindSql(pool) }, name)).toBe(true)
  expect(await proofAge()).toEqual([{ label: null, value: expect.any(Number) }])
})

test('books that do not balance at the time of the snapshot, and objects that the target has lost, are faults', async () => {
  const id = await aResult('soon lost')
  const account = `(select id from credit_accounts where team_id = '${team.team.id}')`
  await pool.query(`update credit_accounts set balance = balance + 7 where id = ${account}`)
  const target = await aTarget()
  await back(target)
  await pool.query(`update credit_accounts set balance = balance - 7 where id = ${account}`)
  await rm(join(target.folder, 'objects/results', id), { recursive: true })
  const { faults } = await prove(target)
  expect(faults).toHaveLength(2)
  expect(faults[0]).toMatch(/^account \S+: available is \d+, its entries say \d+$/)
  expect(faults[1]).toMatch(new RegExp(`^results/${id}/\\S+ is missing in the target$`))
})

test('only one verification of a deployment runs at a time', async () => {
  const second = () => withVerification(pool, async () => 'second')
  const refused = withVerification(pool, second)
  await expect(refused).rejects.toThrow('another verification of a backup is running')
  // The server releases the lock of a closed session a moment later.
  expect(await vi.waitFor(second)).toBe('second')
})
