import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { endSessions } from '../../../src/database/liveness/livenessStatements.ts'
import { openSessionLocks, sessionNameOf } from '../../../src/database/liveness/sessionLocks.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 1)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const log = { debug() {}, info() {}, warn() {}, error() {} }
const soon = { timeout: 5000, interval: 5 }

function locksOf(processId: string) {
  const locks = openSessionLocks(database.url, { processId, log })
  onTestFinished(() => locks.close())
  return locks
}

test('only one process holds a lock until it releases it', async () => {
  const [one, other] = [locksOf('one'), locksOf('other')]
  expect(await Promise.all([one.take('a'), one.take('b')])).toEqual([true, true])
  expect(await Promise.all([other.take('a'), other.take('c')])).toEqual([false, true])
  one.release('a')
  expect([one.holds('a'), one.holds('b')]).toEqual([false, true])
  await vi.waitFor(async () => expect(await other.take('a')).toBe(true), soon)
})

test('a lock that is released and taken again at once is held once: one release unlocks it', async () => {
  const [one, other] = [locksOf('one'), locksOf('other')]
  expect(await one.take('d')).toBe(true)
  one.release('d')
  expect(await one.take('d')).toBe(true)
  one.release('d')
  await vi.waitFor(async () => expect(await other.take('d')).toBe(true), soon)
})

test('removing a process ends the session with its locks; the process notices and can take locks again', async () => {
  const [stopped, other] = [locksOf('stopped'), locksOf('other')]
  expect(await stopped.take('e')).toBe(true)
  await pool.query(endSessions, [sessionNameOf('stopped')])
  await vi.waitFor(() => expect(stopped.holds('e')).toBe(false), soon)
  await vi.waitFor(async () => expect(await other.take('e')).toBe(true), soon)
  expect(await stopped.take('e')).toBe(false)
  expect(await stopped.take('f')).toBe(true)
})

test('taking and releasing locks at once runs one query at a time', async () => {
  const warnings: string[] = []
  const warned = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const locks = locksOf('busy')
  const names = Array.from({ length: 20 }, (_, index) => `busy-${index}`)
  await Promise.all(
    names.map(async (name) => {
      expect(await locks.take(name)).toBe(true)
      locks.release(name)
      expect(await locks.take(`${name}-more`)).toBe(true)
    }),
  )
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})
