import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { databaseProxyTo } from '../support/database/databaseProxy.ts'
import { anAgent } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'

const app = await testApp()
afterAll(app.close)
const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** An agent at a process whose way to the database breaks as it starts something, once that is done. */
async function aLostStart(quoted: boolean) {
  const { value } = await anAgent(app.services)
  const gate = await databaseProxyTo(app.databaseUrl)
  const cut = await testApp({ databaseUrl: gate.url, clock: app.clock, poolMax: 1 })
  const { call } = await agentClient(cut, value)
  const { quoteId } = (await call('estimate_generation', work)).body
  const lost = gate.dropReplyTo('start_generations')
  void gate.refuseConnections(1000)
  const given = quoted ? { ...work, quoteId } : work
  const broken = await call('start_generation', given)
  await lost
  void gate.refuseConnections(0)
  const here = await agentClient(app, value)
  const history = async () => (await here.call('list_generations')).body.items
  return { broken, history, repeat: () => here.call('start_generation', given), close: cut.close }
}

test('a failed start without a quote has the hint to check the history before a repeat', async () => {
  const { broken, history, close } = await aLostStart(false)
  expect(broken.body.error).toMatchObject({ code: 'service_unavailable', retryable: false })
  expect(broken.body.error.hint).toContain('list_generations')
  expect(await history()).toHaveLength(1)
  await close()
})

test('a start that is refused before anything began says so, and may be repeated', async () => {
  const { call } = await agentClient(app, (await anAgent(app.services)).value)
  const { error } = (await call('start_generation', { familyId: 'sandbox-offline', prompt: 'x' })).body
  expect(error).toMatchObject({ code: 'family_unavailable', retryable: true, hint: expect.stringMatching(/^Nothing was started\./) })
})

test('a failed start with a quote can be repeated and starts once', async () => {
  const { broken, history, repeat, close } = await aLostStart(true)
  expect(broken.body.error).toMatchObject({ code: 'service_unavailable', retryable: true })
  expect((await repeat()).body).toMatchObject({ replayed: true })
  expect(await history()).toHaveLength(1)
  await close()
})
