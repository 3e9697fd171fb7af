import { afterAll, expect, test } from 'vitest'
import { readGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { insertStarts } from '../../../../src/domain/generations/start/insertStarts.ts'
import { newGeneration } from '../../../../src/domain/generations/start/newGeneration.ts'
import { planGeneration } from '../../../../src/domain/generations/start/planGeneration.ts'
import type { Sql } from '../../../../src/domain/sql.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

/** Sends rows like a release without references. */
function earlierRelease(sql: Sql): Sql {
  const names = ['reference', 'metadata']
  const row = (columns: object) => Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))
  const rows = (value: unknown) =>
    typeof value === 'string' && value.startsWith('[{') ? JSON.stringify((JSON.parse(value) as object[]).map(row)) : value
  return { ...sql, one: (asked, values) => sql.one(asked, values.map(rows)) }
}

test('a process of the previous release starts work without a reference', async () => {
  const { context, spender } = await aTeamWithKey(services)
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', reference: 'order 4711', metadata: { project: 'harbour' } }
  const row = newGeneration(context, spender, request, await planGeneration(context, spender, request))
  const starts = [{ row, inputs: [], idempotency: undefined }]
  expect(await insertStarts({ ...context, sql: earlierRelease(context.sql) }, starts, { waitForLocks: true })).toEqual(['started'])
  expect(await readGeneration(context, spender.ownerId, row.id)).toEqual({ ...row, reference: null, metadata: {} })
})
