import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeReadiness } from '../../../src/cli/boot/readiness.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices({ poolMax: 2, connectTimeoutMilliseconds: 300 })
afterAll(close)

const busy = { faults: ['no connection to the database is free'] }

/** Takes all connections of the pool. */
async function takePool(): Promise<void> {
  const held = await Promise.all([services.pool.connect(), services.pool.connect()])
  onTestFinished(() => held.forEach((client) => client.release()))
}

test('a process that was ready stays ready while no connection of its pool is free, and says so', async () => {
  const readiness = makeReadiness(services)
  expect(await readiness()).toEqual({ ready: true, faults: [] })
  await takePool()
  expect(await readiness()).toEqual({ ready: true, ...busy })
})

test('a process that was never ready does not become ready without a connection', async () => {
  const readiness = makeReadiness(services)
  await takePool()
  expect(await readiness()).toEqual({ ready: false, ...busy })
})

test('a process whose database is away is not ready, also when it was', async () => {
  const gone = await testServices({ poolMax: 1 })
  const readiness = makeReadiness(gone.services)
  expect(await readiness()).toEqual({ ready: true, faults: [] })
  await gone.close()
  const pool = Object.assign(Object.create(gone.services.pool), { options: { connectionString: 'postgres://atelier@127.0.0.1:1/none' } })
  expect(await makeReadiness({ ...gone.services, pool })()).toEqual({ ready: false, faults: ['the database cannot be reached'] })
})
