import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openServices } from '../../../src/cli/boot/openServices.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { isOwn } from '../../../src/network/ownAddresses.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

test('webhooks and links cannot reach the monitoring address of a worker, whatever addresses are allowed', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-watched-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    DATA_DIR: join(folder, 'data'),
    METRICS_PORT: '9464',
  }
  const config = readConfig(env, { command: 'work', vendors })
  const opened = await openServices(config, { log: services.log, publicUrl: 'http://atelier.test', listeners: [], poolMax: 2 })
  onTestFinished(opened.close)
  const { ownAddresses } = opened.services.settings
  expect(isOwn(new URL('http://127.0.0.1:9464/metrics'), ['127.0.0.1'], ownAddresses)).toBe(true)
  expect(isOwn(new URL('http://127.0.0.1:9465/metrics'), ['127.0.0.1'], ownAddresses)).toBe(false)
})
