import type pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { deleteFile } from '../../../../src/domain/files/deleteFile.ts'
import { insertFile, markReady } from '../../../../src/domain/files/fileRows.ts'
import { deleteResult } from '../../../../src/domain/generations/results/deleteResult.ts'
import { insertStarts } from '../../../../src/domain/generations/start/insertStarts.ts'
import { newGeneration } from '../../../../src/domain/generations/start/newGeneration.ts'
import { planGeneration } from '../../../../src/domain/generations/start/planGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { bindSql } from '../../../../src/domain/sql.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const moves = generationTransitions(services)
const { context, spender, team } = await aTeamWithKey(services)
const ownerId = team.id

async function aFile(): Promise<string> {
  const id = newId('file')
  const createdAt = clock.now()
  const known = { type: 'image', mimeType: 'image/png', width: 8, height: 8, durationSeconds: null } as const
  const stored = { declaredMimeType: null, sizeBytes: 100, storageKey: `files/${id}`, sha256: '00' }
  const row = { id, ownerId, userId: null, type: known.type, mimeType: known.mimeType, ...stored }
  await insertFile(context, { ...row, createdAt, expiresAt: new Date(createdAt.getTime() + 86_400_000) })
  await markReady(context, id, { ok: true, ...known })
  return id
}

async function aResult(): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
  const { generation } = await startGeneration(context, spender, { request, idempotencyKey: undefined })
  await moves.begin(generation.generationId)
  await moves.gather(generation.generationId)
  await moves.finish(generation.generationId, Buffer.from('bytes'))
  return generation.generationId
}

const requestWith = (id: string) => ({ familyId: 'sandbox-image', prompt: 'a collage', imageIds: [id] })
const start = (id: string, idempotencyKey?: string) => startGeneration(context, spender, { request: requestWith(id), idempotencyKey })

async function inTransaction<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const client = await services.pool.connect()
  try {
    await client.query('begin')
    const value = await work(client)
    await client.query('commit')
    return value
  } finally {
    client.release()
  }
}

async function somebodyWaits(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitUntil(async () => ((await services.pool.query(waiting)).rowCount ?? 0) > 0, { timeout: 5000, interval: 5 })
}

const works = async () =>
  (await services.pool.query(`select from generations where owner_id = $1 and state = 'queued'`, [ownerId])).rowCount
const codeOf = (error: unknown) => (error as { code?: unknown }).code

const kinds = [
  { what: 'file', make: aFile, verdict: 'select delete_file($1, $2)', remove: (id: string) => deleteFile(context, ownerId, id) },
  {
    what: 'result of a generation',
    make: aResult,
    verdict: `select delete_result($1, $2, 'somebody')`,
    remove: (id: string) => deleteResult(context, spender, id),
  },
]

describe.each(kinds)('a $what', ({ make, verdict, remove }) => {
  test('is not deleted while a start that uses it may still commit', async () => {
    const id = await make()
    const plan = await planGeneration(context, spender, requestWith(id))
    const row = newGeneration(context, spender, requestWith(id), plan)
    const deleting = await inTransaction(async (client) => {
      const starts = [{ row, inputs: plan.inputs, idempotency: undefined }]
      expect(await insertStarts({ ...context, sql: bindSql(client) }, starts, { waitForLocks: true })).toEqual(['started'])
      const settled = remove(id).then(() => 'deleted', codeOf)
      await somebodyWaits()
      return { settled }
    })
    expect(await deleting.settled).toBe('file_not_ready')
    await moves.fail(row.id)
    await remove(id)
  })

  test('is not an input of a start that found it before its deletion, and that start leaves nothing behind', async () => {
    const id = await make()
    const before = { works: await works(), held: await readHeldCredits() }
    const starting = await inTransaction(async (client) => {
      await client.query(verdict, [id, ownerId])
      const settled = start(id, `late ${id}`).then(
        () => 'started',
        ({ code, details }) => ({ code, details }),
      )
      await somebodyWaits()
      return { settled }
    })
    expect(await starting.settled).toEqual({ code: 'file_not_found', details: { ids: [id], field: 'imageIds' } })
    expect({ works: await works(), held: await readHeldCredits() }).toEqual(before)
    const kept = await services.pool.query('select from idempotency_records where key = $1', [`late ${id}`])
    expect(kept.rowCount).toBe(0)
  })

  test('with concurrent starts and deletions, either it stays and is used, or it is deleted and is not', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await make()
      const starting = () => start(id).then(({ generation }) => generation.generationId, codeOf)
      const deleting = () => remove(id).then(() => 'deleted', codeOf)
      const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? starting() : deleting())))
      const started = outcomes.filter((outcome) => String(outcome).startsWith('gen_'))
      expect(started.length > 0).toBe(!outcomes.includes('deleted'))
      expect(outcomes.filter((outcome) => !/^(gen_.*|deleted|file_not_found|file_not_ready)$/.test(String(outcome)))).toEqual([])
      for (const work of started) await moves.fail(String(work))
    }
  })
})

test('a start with a deleted input does not affect others of its batch', async () => {
  const [kept, gone] = [await aFile(), await aFile()]
  const starts = await Promise.all(
    [kept, gone, kept].map(async (id) => {
      const plan = await planGeneration(context, spender, requestWith(id))
      return { row: newGeneration(context, spender, requestWith(id), plan), inputs: plan.inputs, idempotency: undefined }
    }),
  )
  await deleteFile(context, ownerId, gone)
  expect(await insertStarts(context, starts, { waitForLocks: false })).toEqual(['started', 'input_gone', 'started'])
})

test('each deleted object is queued for removal exactly once, and the books are balanced', async () => {
  const { rows } = await services.pool.query(
    `select payload->>'storageKey' as key, count(*)::integer as jobs from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'removeObject' group by 1 having count(*) > 1`,
  )
  expect(rows).toEqual([])
  expect(await checkBooks(aServiceContext(services))).toEqual({ clean: true, faults: [] })
})

async function readHeldCredits(): Promise<number> {
  return (await services.pool.query('select held::integer from credit_accounts where id = $1', [spender.accountId])).rows[0].held
}
