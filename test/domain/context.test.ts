import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { transaction } from '../../src/domain/context.ts'
import { statement } from '../../src/domain/sql.ts'
import { Team } from '../../src/entities/Team.ts'
import { aServiceContext } from '../support/factories.ts'
import { testServices } from '../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

const nameOf = statement<{ name: string }>('name_of_team', 'select name from teams where id = $1')

function aTeam(id: string) {
  return { id, name: 'Studio', planExpiresAt: null, blocked: false, externalAccess: true, membersMayRun: false, createdAt: clock.now() }
}

test('the entity manager and statements of one transaction see what the other wrote, and commit together', async () => {
  const context = aServiceContext(services)
  const id = newId('team')
  await transaction(context, async (inside) => {
    inside.em().create(Team, aTeam(id))
    await inside.em().flush()
    expect(await inside.sql.one(nameOf, [id])).toEqual({ name: 'Studio' })
    expect(await context.sql.one(nameOf, [id])).toBeUndefined()
  })
  expect(await context.sql.one(nameOf, [id])).toEqual({ name: 'Studio' })
})

test('the entity manager is flushed before the commit', async () => {
  const context = aServiceContext(services)
  const id = newId('team')
  await transaction(context, async (inside) => void inside.em().create(Team, aTeam(id)))
  expect(await context.sql.one(nameOf, [id])).toEqual({ name: 'Studio' })
})

test('a throw rolls back the writes of the entity manager', async () => {
  const context = aServiceContext(services)
  const id = newId('team')
  const failing = transaction(context, async (inside) => {
    inside.em().create(Team, aTeam(id))
    await inside.em().flush()
    throw new Error('not to be')
  })
  await expect(failing).rejects.toThrow('not to be')
  expect(await context.sql.one(nameOf, [id])).toBeUndefined()
})
