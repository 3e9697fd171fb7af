import { expect, test } from 'vitest'
import { resultOf } from '../../../src/cli/doctor/check.ts'
import { machineChecks } from '../../../src/cli/doctor/machineChecks.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const folder = memoryFolder()

test('the disks of the data folder and of the storage are checked, and the certificate of an https address', async () => {
  const checks = machineChecks({ dataFolder: folder, storageUrl: `file://${folder}`, baseUrl: 'https://127.0.0.1:1' })
  const [disk, certificate] = await Promise.all(checks.map(resultOf))
  expect(disk?.detail.match(new RegExp(`of ${folder} are free`, 'g'))).toHaveLength(2)
  // An unreachable address is not a fault.
  expect(certificate).toMatchObject({ ok: true, detail: expect.stringMatching(/^could not be read from https:\/\/127\.0\.0\.1:1/) })
})

test('an address without TLS has no certificate, and a bucket no disk', () => {
  const names = machineChecks({ dataFolder: folder, storageUrl: 's3://bucket', baseUrl: 'http://127.0.0.1' }).map(({ name }) => name)
  expect(names).toEqual(['disk'])
})
