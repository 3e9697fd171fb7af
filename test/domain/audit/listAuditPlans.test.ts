import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditFilter, listAudit } from '../../../src/domain/audit/listAudit.ts'
import { pagesRead, planModes } from '../../support/database/pagesRead.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const context = aServiceContext(services)

const insertEntries = `insert into audit_entries (at, team_id, actor_kind, actor_id, action, subject_id)
  select present() - number * interval '1 minute', $1, 'person', $2, $3, $4 from generate_series($5::integer, $6::integer) as number`

const common = { teamId: 'team_busy', actorId: 'user_busy', subjectId: 'key_busy', action: 'key.updated' } as const
const rare = { teamId: 'team_rare', actorId: 'user_rare', subjectId: 'key_rare', action: 'team.deleted' } as const

/**
 * Adds 300,000 entries whose values are all common. Older than these are, for each column, three entries with its rare value and 30 entries
 * with a different value each.
 */
beforeAll(async () => {
  const addEntries = ({ teamId, actorId, action, subjectId }: Record<keyof typeof common, string>, from: number, to: number) =>
    services.pool.query(insertEntries, [teamId, actorId, action, subjectId, from, to])
  for (let part = 0; part < 6; part += 1) await addEntries(common, part * 50_000, part * 50_000 + 49_999)
  for (const [index, name] of (['teamId', 'actorId', 'subjectId', 'action'] as const).entries())
    await addEntries({ ...common, [name]: rare[name] }, 300_001 + index * 10, 300_003 + index * 10)
  for (const other of ['teamId', 'actorId', 'subjectId', 'action'])
    for (let number = 0; number < 30; number += 1) await addEntries({ ...common, [other]: `other_${number}` }, 310_000, 310_000)
})

/** Each rare filter with each set of common filters. A common filter matches almost all entries. */
const names = ['teamId', 'actorId', 'subjectId', 'action'] as const
const combinations = names.flatMap((rareName) => {
  const others = names.filter((name) => name !== rareName)
  return Array.from({ length: 2 ** others.length }, (_, bits) => ({
    rareName,
    commonNames: others.filter((_name, index) => (bits >> index) % 2 === 1),
  }))
})

/** `analyze` samples rows, so its count of distinct values varies from run to run. These are the least and the greatest it can find. */
describe.each([
  { counted: 'one value per column', distinct: 1 },
  { counted: 'a value per entry', distinct: -1 },
])('when PostgreSQL counted $counted', ({ distinct }) => {
  beforeAll(async () => {
    for (const column of ['team_id', 'actor_id', 'subject_id', 'action'])
      await services.pool.query(`alter table audit_entries alter column ${column} set (n_distinct = ${distinct})`)
    await services.pool.query('analyze audit_entries')
  })

  test.each(combinations)(
    'a page of a rare $rareName with the common $commonNames reads few pages, from either end',
    async (combination) => {
      const filter: AuditFilter = { [combination.rareName]: rare[combination.rareName] }
      for (const name of combination.commonNames) Object.assign(filter, { [name]: common[name] })
      await expectFewPages(filter, 3)
    },
  )

  test.each(names)('a page of the common %s reads few pages, from either end', async (name) => {
    await expectFewPages({ [name]: common[name] }, 51)
  })

  test('a page of a common actor and a common subject of a busy team reads few pages, from either end', async () => {
    const { teamId, actorId, subjectId } = common
    await expectFewPages({ teamId, actorId, subjectId }, 51)
  })
})

/** Lists a page of `expected` entries from either end, with and without times. */
async function expectFewPages(filter: AuditFilter, expected: number): Promise<void> {
  for (const fromTheEnd of [false, true]) {
    for (const time of [{}, { since: new Date(0), until: clock.now() }]) {
      let found = 0
      const read = await pagesRead(context, { table: 'audit_entries', planMode: planModes[0] }, async (inside) => {
        found = (await listAudit(inside, { ...filter, ...time }, { limit: 51, fromTheEnd })).length
      })
      expect(found).toBe(expected)
      expect(read).toBeLessThan(1000)
    }
  }
}
