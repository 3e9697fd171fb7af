import { expect, onTestFinished, test } from 'vitest'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { loadDatabase, requireRestorable } from '../../src/backup/loadDatabase.ts'
import { makeBackup } from '../../src/backup/makeBackup.ts'
import { openTarget } from '../../src/backup/target.ts'
import { makeKeyRing } from '../../src/secrets/keyRing.ts'
import { aFolder } from '../support/database/backups.ts'
import { emptyDatabase, testDatabase, testPool } from '../support/database/database.ts'
import { catalogDifference, catalogOf } from '../support/rollout/catalogOf.ts'
import { releasedDatabase } from '../support/rollout/releasedDatabase.ts'
import { testServices } from '../support/services.ts'

const secretKey = Buffer.alloc(32, 3)

test('a backup of the previous release is restored into the tables of this one, and an older one is refused', async () => {
  const [released, empty, fresh] = await Promise.all([releasedDatabase(), emptyDatabase(), testDatabase()])
  const pools = [released, empty, fresh].map(({ url }) => testPool(url, 3))
  const [before, restored, usual] = pools as [(typeof pools)[0], (typeof pools)[0], (typeof pools)[0]]
  const { services, close } = await testServices({ secretKey, clock: 'database' })
  onTestFinished(async () => {
    await Promise.all([close(), ...pools.map((pool) => pool.end())])
    await Promise.all([released, empty, fresh].map(({ drop }) => drop()))
  })
  await before.query(
    `insert into teams (id, name) values ('team_a', 'A'); insert into credit_accounts (id, team_id) values ('acct_a', 'team_a')`,
  )
  await before.query(`select grant_credits('acct_a', 700, 'test', 'first')`)

  const target = await openTarget(await aFolder())
  onTestFinished(() => target.storage.close())
  // The services of this release read columns that the previous one did not have.
  const source = { ...services, databaseUrl: released.url, pool: before }
  await makeBackup(source, { target, release: '0.2.0', keep: undefined, signal: new AbortController().signal })
  const manifest = await chooseSnapshot(target.storage, undefined)
  const ring = makeKeyRing([secretKey])
  await expect(requireRestorable(manifest, ring)).resolves.toBeUndefined()
  const older = { ...manifest, migrations: manifest.migrations.filter(({ version }) => version <= 110) }
  await expect(requireRestorable(older, ring)).rejects.toThrow('upgrade it to 0.2.0 first')

  const options = { target: target.storage, manifest, withJobs: true, claimStorage: async () => {}, log: services.log, onTable: () => {} }
  const { finish } = await loadDatabase(empty.url, options)
  await finish()
  const { rows } = await restored.query('select t.name, a.balance::integer from teams t join credit_accounts a on a.team_id = t.id')
  expect(rows).toEqual([{ name: 'A', balance: 700 }])
  const difference = catalogDifference(await catalogOf(restored), await catalogOf(usual))
  expect(difference).toEqual({ onlyFirst: [], onlySecond: [], changed: [] })
})
