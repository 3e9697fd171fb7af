import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeLogger } from '../../../src/cli/boot/logger.ts'
import { openServices } from '../../../src/cli/boot/openServices.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { createSubscription } from '../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import { aTeamWithKey } from '../factories.ts'
import type { KillPoint, KillReport } from './killPoints.ts'
import { startVendor, type VendorServer } from './vendorServer.ts'
import { endWorker, startWorkerProcess, type WorkerPlaces, workerEnvironment } from './workerProcesses.ts'

/** Kills a worker at the point, starts another one, and returns what became of the generation. */
export async function playKillPoint(point: KillPoint, places: WorkerPlaces): Promise<KillReport> {
  const vendor = await startVendor(point.vendor)
  const env = workerEnvironment({ ...places, vendorUrl: vendor.url, withoutRepeats: point.withoutRepeats })
  const opened = await openServices(readConfig(env, { command: 'work', vendors }), {
    log: makeLogger({ level: 'error' }),
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 5,
  })
  const closers: (() => Promise<unknown>)[] = [() => opened.close(), () => vendor.close()]
  try {
    const context = contextFor(opened.services, { kind: 'service' })
    const team = await aTeamWithKey(opened.services, { credits: 10 })
    await createSubscription(context, { teamId: team.team.id, address: `${vendor.url}/hook/1`, events: ['generation.completed'] })
    const first = await startWorkerProcess(env)
    closers.unshift(() => endWorker(first))
    const start = () => startGeneration(team.context, team.spender, { request: { familyId: 'vendor-image', prompt: 'a boat' } })
    if ('isAtOnce' in point.at) await makeOne(context, vendor, (await start()).generation.generationId)
    const stop = await stopAt(point, { vendor, context })
    const { generation } = await start()
    const resume = await stop.reached(generation.generationId, team.spender.accountId)
    const gone = once(first, 'exit')
    first.kill('SIGKILL')
    await gone
    await resume()
    const second = await startWorkerProcess(env)
    closers.unshift(() => endWorker(second))
    return { name: point.name, ...(await outcomeOf(context, vendor, generation.generationId)) }
  } finally {
    for (const close of closers) await close()
  }
}

/** Waits for a first result, and forgets what the vendor counted for it. */
async function makeOne({ pool }: Context, vendor: VendorServer, id: string): Promise<void> {
  await until(async () => (await stateOf(pool, id)) === 'ready')
  vendor.jobs.clear()
  vendor.submits = 0
}

async function stateOf(pool: pg.Pool, id: string): Promise<string | undefined> {
  return (await pool.query<{ state: string }>('select state from generations where id = $1', [id])).rows[0]?.state
}

type Stop = { reached(generationId: string, accountId: string): Promise<() => Promise<void>> }

async function stopAt({ at }: KillPoint, { vendor, context }: { vendor: VendorServer; context: Context }): Promise<Stop> {
  const gate = Promise.withResolvers<void>()
  const counter = { submit: 'submits', poll: 'polls', output: 'fetches' } as const
  if ('vendor' in at) {
    vendor.behaviour[`${at.vendor}Gate`] = gate.promise
    return {
      async reached() {
        await until(async () => vendor[counter[at.vendor]] > 0)
        return async () => gate.resolve()
      },
    }
  }
  if ('state' in at) {
    return {
      async reached(generationId) {
        await until(async () => (await stateOf(context.pool, generationId)) === at.state)
        return async () => undefined
      },
    }
  }
  // The statement that takes a claim runs before the first request, the others after it.
  const isFirst = at.statement.startsWith('with taken')
  if (!isFirst) vendor.behaviour.submitGate = gate.promise
  const holder = new pg.Client({ connectionString: context.pool.options.connectionString })
  await holder.connect()
  if (isFirst) {
    await holder.query('begin')
    await holder.query('lock table generation_attempts in share mode')
  }
  return {
    async reached(generationId, accountId) {
      if (!isFirst) {
        await until(async () => vendor.submits > 0)
        await lockBefore(holder, { at, context, gate, vendor, row: at.lock === 'credit_accounts' ? accountId : generationId })
      }
      const waiting = await waitingSession(context, at.statement)
      if (at.isAtOnce) assert.equal(await stateOf(context.pool, generationId), 'queued')
      return async () => {
        if (!at.committed) await endSession(context, waiting)
        await holder.query('rollback')
        if (at.committed) await until(async () => !(await sessionIsActive(context, waiting)))
        await holder.end()
      }
    },
  }
}

type LockBefore = {
  at: { statement: string; lock: string }
  context: Context
  gate: PromiseWithResolvers<void>
  vendor: VendorServer
  row: string
}

/** Lets the worker continue until the request before the statement, and locks the row that the statement needs. */
async function lockBefore(holder: pg.Client, { at, gate, vendor, row }: LockBefore): Promise<void> {
  const lock = async () => {
    await holder.query('begin')
    const column = at.lock === 'generation_attempts' ? 'generation_id' : 'id'
    await holder.query(`select from ${at.lock} where ${column} = $1 for update`, [row])
  }
  if (vendor.behaviour.answersAtOnce || at.statement.startsWith('select verdict') || at.lock === 'credit_accounts') {
    await lock()
    return gate.resolve()
  }
  const poll = Promise.withResolvers<void>()
  vendor.behaviour.pollGate = poll.promise
  gate.resolve()
  await until(async () => vendor.polls > 0)
  await lock()
  poll.resolve()
}

const sessionsOf = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like $1 || '%' and pid <> pg_backend_pid()`

async function waitingSession({ pool }: Context, statement: string): Promise<number> {
  let pid: number | undefined
  await until(async () => {
    pid = (await pool.query<{ pid: number }>(sessionsOf, [statement])).rows[0]?.pid
    return pid !== undefined
  })
  return pid ?? 0
}

async function sessionIsActive({ pool }: Context, pid: number): Promise<boolean> {
  return (await pool.query(`select from pg_stat_activity where pid = $1 and state = 'active'`, [pid])).rows.length > 0
}

async function endSession(context: Context, pid: number): Promise<void> {
  await context.pool.query('select pg_terminate_backend($1)', [pid])
  await until(async () => (await context.pool.query('select from pg_stat_activity where pid = $1', [pid])).rows.length === 0)
}

async function outcomeOf(context: Context, vendor: VendorServer, id: string): Promise<Omit<KillReport, 'name'>> {
  const { pool } = context
  const read = async (text: string) => (await pool.query<{ value: string }>(text, [id])).rows[0]?.value ?? ''
  const state = async () => (await stateOf(pool, id)) ?? ''
  await until(async () => ['ready', 'failed', 'cancelled'].includes(await state()))
  const jobsLeft = () => read(`select count(*) as value from graphile_worker.jobs where key = 'generation:' || $1`)
  await until(async () => Number(await jobsLeft()) === 0).catch(() => undefined)
  const { faults } = await checkBooks(context)
  return {
    state: await state(),
    submits: vendor.submits,
    polls: vendor.polls,
    fetches: vendor.fetches,
    accepted: vendor.jobs.size,
    charges: Number(await read(`select count(*) as value from ledger_transactions where generation_id = $1 and kind = 'capture'`)),
    events: Number(await read(`select count(*) as value from webhook_deliveries where convert_from(body, 'UTF8') like '%' || $1 || '%'`)),
    jobsLeft: Number(await jobsLeft()),
    faults,
  }
}

const waitMs = 60_000

async function until(is: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!(await is())) {
    if (performance.now() > deadline) throw new Error('it did not happen within a minute')
    await pause(10)
  }
}
