import { expect, onTestFinished, test, vi } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext } from '../support/factories.ts'
import { type AgentClient, agentClient } from '../support/http/agentClient.ts'
import { aCommand } from '../support/processes/command.ts'

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** Repeats a lost call like an agent, until it gets an answer. */
function repeat({ call }: AgentClient, quoteId: string) {
  return vi.waitFor(
    async () => {
      const answer = await call('start_generation', { ...work, quoteId })
      expect(answer.isError).toBe(false)
      return answer.body
    },
    { timeout: 20_000, interval: 50 },
  )
}

test('after its process is killed, a start is found with its quote and held once', { timeout: 60_000 }, async () => {
  const app = await testApp()
  onTestFinished(app.close)
  const { pool } = app.services
  const { value, spender } = await anAgent(app.services)
  const agent = await agentClient(app, value)
  const { quoteId } = (await agent.call('estimate_generation', work)).body
  const server = await aCommand('serve', { DATABASE_URL: app.databaseUrl })
  const there = await agentClient({ origin: `http://127.0.0.1:${server.port}` }, value)
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from credit_accounts where id = $1 for update', [spender.accountId])
  const lost = there.call('start_generation', { ...work, quoteId }).then(
    () => 'answered',
    () => 'lost',
  )
  const isWaiting = `select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'select start_generations%' and datname = current_database()`
  await vi.waitFor(async () => expect((await pool.query(isWaiting)).rows[0].count).toBeGreaterThan(0), { timeout: 15_000, interval: 1 })
  await server.kill()
  await holder.query('commit')
  holder.release()

  expect(await lost).toBe('lost')
  const found = [await repeat(agent, quoteId), await repeat(agent, quoteId), await repeat(agent, quoteId)]
  expect(new Set(found.map(({ generationId }) => generationId)).size).toBe(1)
  expect(found.slice(1).every(({ replayed }) => replayed)).toBe(true)
  expect((await agent.call('list_generations')).body.items).toHaveLength(1)
  expect((await agent.call('get_account')).body.creditsAvailable).toBe(99)
  expect(await checkBooks(aServiceContext(app.services))).toMatchObject({ clean: true })
})
