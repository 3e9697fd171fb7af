import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { waitGeneration } from '../../src/mcp/tools/waitGeneration.ts'
import { testApp } from '../support/app.ts'
import { anAgent } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { rpc, sendToAgents } from '../support/http/agentMessages.ts'
import { aCommand } from '../support/processes/command.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const image = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** Other requests of the person that are held at this moment, in all processes. */
async function held(key: string): Promise<number> {
  const { headers } = await sendToAgents(app, { key, body: rpc('ping') })
  return Number(headers['x-concurrency-limit']) - Number(headers['x-concurrency-remaining']) - 1
}

const heldBecomes = (key: string, count: number) => expect.poll(() => held(key), { interval: 10 }).toBe(count)

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  test('that asked for progress hears each state in words, by a number that grows and is 1 at most', async () => {
    const { call } = await agentClient(app, (await anAgent(services)).value, { era })
    const { generationId } = (await call('start_generation', image)).body
    const heard: { progress: number; total?: number | undefined; message?: string | undefined }[] = []
    const waiting = call('wait_generation', { generationId }, { onprogress: (notice) => void heard.push(notice) })
    const hears = (word: string) => expect.poll(() => heard.at(-1)?.message, { interval: 10 }).toContain(word)
    await hears('queued')
    await moves.begin(generationId)
    await hears('running')
    await moves.gather(generationId)
    await hears('finalizing')
    await moves.finish(generationId, Buffer.from('a picture'))
    expect((await waiting).body).toMatchObject({ state: 'ready' })
    const numbers = heard.map(({ progress }) => progress)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThanOrEqual(1)
    expect(heard.every(({ total }) => total === 1)).toBe(true)
  })

  test.each([
    ['hangs up', ({ close }: { close(): void }) => close()],
    ...(era === 'modern' ? [['cancels the call', ({ abort }: { abort(): void }) => abort()] as const] : []),
  ] as const)('that %s during a wait gives its slot back before the wait ends', async (_how, leave) => {
    const { value } = await anAgent(services)
    const { client, call } = await agentClient(app, value, { era })
    const { generationId } = (await call('start_generation', image)).body
    const cancelling = new AbortController()
    const options = [{}, { onprogress: () => undefined }]
    const waiting = options.map((more) => call('wait_generation', { generationId }, { signal: cancelling.signal, ...more }))
    const outcomes = Promise.allSettled(waiting)
    await heldBecomes(value, 2)
    leave({ close: () => void client.close(), abort: () => cancelling.abort() })
    await heldBecomes(value, 0)
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(
      (await sendToAgents(app, { key: value, body: rpc('tools/call', { name: 'get_generation', arguments: { generationId } }) })).status,
    ).toBe(200)
  })
})

test.each([
  ['asks for progress', { report: () => undefined }],
  ['asks for none', {}],
])('a caller who %s and requests a wait of an hour waits for 45 seconds', async (_what, more) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const begunAt = performance.now()
  // Nothing ever changes, so each look takes as long as it may.
  const wait = waitGeneration.connect(() => async ({ waitSeconds }) => {
    vi.advanceTimersByTime(Number(waitSeconds) * 1000)
    return { generationId: 'gen_x', state: 'queued', finishedAt: null, prompt: null, creditsHeld: 1, creditsCharged: null }
  })
  const given = { generationId: 'gen_x', waitSeconds: 3600 }
  const { signal } = new AbortController()
  const { context } = await anAgent(services)
  await wait({ context, arguments: given, signal, supportsElicitation: false, answered: undefined, spooledText: undefined, ...more })
  expect(performance.now() - begunAt).toBe(45_000)
})

test.skipIf(process.platform === 'win32')(
  'a process that is told to end answers open waits within seconds, and then ends',
  { timeout: 60_000 },
  async () => {
    const { value } = await anAgent(services)
    const server = await aCommand('serve', { DATABASE_URL: app.databaseUrl })
    const there = { origin: `http://127.0.0.1:${server.port}` }
    const agents = [await agentClient(there, value), await agentClient(there, value, { era: 'legacy' })] as const
    const { generationId } = (await agents[0].call('start_generation', image)).body
    const options = [{}, { onprogress: () => undefined }]
    const waiting = agents.flatMap(({ call }) => options.map((more) => call('wait_generation', { generationId }, more)))
    await heldBecomes(value, 4)
    const toldAt = performance.now()
    const ended = server.stop()
    for (const answer of await Promise.all(waiting))
      expect(answer).toMatchObject({ isError: false, body: { generationId, state: 'queued' } })
    // Half of their wait.
    expect(performance.now() - toldAt).toBeLessThan((limits.agentWaitSecondsMax / 2) * 1000)
    expect(await ended).toBe(0)
  },
)
