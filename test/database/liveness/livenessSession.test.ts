import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { keepAlive } from '../../../src/database/liveness/liveness.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 3)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('PostgreSQL ends the session with the lock of a vanished host within 11 s, also while an answer to it is on its way', async () => {
  await pool.query('create table seen_timeouts (milliseconds text)')
  await pool.query(
    `create function see_timeout() returns trigger language plpgsql as $$ begin
       insert into seen_timeouts values (current_setting('tcp_user_timeout'));
       return new;
     end $$`,
  )
  await pool.query('create trigger see_timeout before insert or update on processes for each row execute function see_timeout()')
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const liveness = await keepAlive({ url: database.url, pool, processId: newId('proc'), roles: ['http'], queues: [], log })
  await liveness.close()
  expect((await pool.query('select milliseconds from seen_timeouts')).rows).toContainEqual({ milliseconds: '11000' })
})
