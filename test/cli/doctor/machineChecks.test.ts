import { expect, test } from 'vitest'
import { resultOf } from '../../../src/cli/doctor/check.ts'
import { machineChecks } from '../../../src/cli/doctor/machineChecks.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const folder = memoryFolder()
const database = { kind: 'external', url: 'postgresql://db/atelier', directUrl: undefined, replicaUrl: undefined } as const

test('the disks of the data folder and of the storage are checked, and the certificate of an https address', async () => {
  const checks = machineChecks({ dataFolder: folder, storageUrl: `file://${folder}`, baseUrl: 'https://127.0.0.1:1', database })
  const [disk, certificate] = await Promise.all(checks.map((check) => resultOf(check)))
  expect(disk?.detail.match(new RegExp(`of ${folder} are free`, 'g'))).toHaveLength(2)
  // An unreachable address is not a fault.
  expect(certificate).toMatchObject({ ok: true, detail: expect.stringMatching(/^could not be read from https:\/\/127\.0\.0\.1:1/) })
})

test('only the disk of an embedded PostgreSQL is checked, and the check says so', async () => {
  const detailWith = async (databaseOf: Parameters<typeof machineChecks>[0]['database']) => {
    const [disk] = machineChecks({ dataFolder: folder, storageUrl: 's3://bucket', baseUrl: undefined, database: databaseOf })
    return disk && (await resultOf(disk)).detail
  }
  expect(await detailWith(database)).toMatch(/are free; the disk of PostgreSQL is not checked$/)
  expect(await detailWith({ kind: 'embedded', folder })).toMatch(/are free$/)
})

test('an address without TLS has no certificate, and a bucket no disk', () => {
  const names = machineChecks({ dataFolder: folder, storageUrl: 's3://bucket', baseUrl: 'http://127.0.0.1', database }).map(
    ({ name }) => name,
  )
  expect(names).toEqual(['disk'])
})
