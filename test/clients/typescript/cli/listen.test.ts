import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, expect, test } from 'vitest'
import { realTiming } from '../../../../clients/typescript/src/http/timing.ts'
import { verifyWebhook, type WebhookBody } from '../../../../clients/typescript/src/index.ts'
import { isId } from '../../../../src/contract/ids.ts'
import { makeWebhookSecret, signWebhook } from '../../../../src/secrets/signWebhook.ts'
import { testApp } from '../../../support/app.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { document } from '../../../support/http/responseConformance.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'
import { atelierClient, type CtrlC } from './commandRun.ts'

const app = await testApp()
afterAll(app.close)

const timing = { ...realTiming, pause: (seconds: number, signal?: AbortSignal) => realTiming.pause(seconds / 100, signal) }
const aTeam = async () => {
  const team = await aTeamWithKey(app.services)
  return { team, env: { ATELIER_URL: app.origin, ATELIER_KEY: team.value } }
}
const after = (lines: number) => (text: string, keys: CtrlC) => void (text.split('\n').length > lines && keys.press())
const once = (action: () => unknown) => {
  let isDone = false
  return (text: string) => {
    if (text.includes('Listening') && !isDone) {
      isDone = true
      void action()
    }
  }
}

test('each end is delivered once, with the headers, signatures and body of the service', async () => {
  const { team, env } = await aTeam()
  const receiver = await aReceiver()
  await anEnding(team, 'ready')
  let ids: string[] = []
  const act = async () => {
    ids = [await anEnding(team, 'ready'), await anEnding(team, 'failed'), await anEnding(team, 'cancelled')]
  }
  const { code, out, words } = await atelierClient(['listen', '--forward', receiver.address], {
    env,
    timing,
    onWords: once(act),
    onLine: after(3),
  })
  expect(code).toBe(0)
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\S+ {2}/, '').replace(/ in \d+ ms/, ''))
      .toSorted(),
  ).toEqual([`generation.cancelled  ${ids[2]}  204`, `generation.completed  ${ids[0]}  204`, `generation.failed  ${ids[1]}  204`])
  const secret = /whsec_\S+/.exec(words)?.[0] ?? ''
  const ajv = addFormats.default(new Ajv2020({ strict: false, schemas: [{ ...document, $id: 'description' }] }))
  const isInOpenapi = ajv.compile({ $ref: 'description#/components/schemas/WebhookBody' })
  for (const { body, headers } of receiver.received) {
    const event = await verifyWebhook({ body, headers, secrets: secret })
    expect(isInOpenapi(JSON.parse(body.toString()))).toBe(true)
    expect(isId('evt', event.id)).toBe(true)
    expect(event.createdAt).toBe(event.data.generation.finishedAt)
    expect(Object.keys(JSON.parse(body.toString()))).toEqual(['id', 'event', 'createdAt', 'data'])
    const timestampSeconds = Number(headers['webhook-timestamp'])
    const signed = signWebhook({ secrets: [secret], body, timestampSeconds, id: event.id })
    expect(headers).toMatchObject(Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value])))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  }
  expect(receiver.received).toHaveLength(3)
})

test('earlier work is reported when it ends, --since reports earlier ends, and the same secret gives the same identifiers', async () => {
  const { team, env } = await aTeam()
  const secret = makeWebhookSecret()
  const receiver = await aReceiver()
  const ended = await anEnding(team)
  const listening = ['listen', '--forward', receiver.address, '--secret', secret]
  const late = anEnding(team, 'failed', { before: () => atStart.promise })
  const atStart = Promise.withResolvers<void>()
  const first = await atelierClient(listening, { env, timing, onWords: once(() => atStart.resolve()), onLine: after(1) })
  expect(first.out).toContain(await late)
  expect(first.out).not.toContain(ended)
  expect(first.words).not.toContain('whsec_')
  await atelierClient([...listening, '--since', '2000-01-01T00:00:00Z', '--events', 'failed'], { env, timing, onLine: after(2) })
  const [told, ...again] = receiver.received.map(({ body }) => JSON.parse(body.toString()) as WebhookBody)
  expect(again.map(({ data }) => data.generation.generationId).toSorted()).toEqual([ended, await late].toSorted())
  expect(again.map(({ id }) => id)).toContain(told?.id)
})

test('a failed delivery is repeated with the same bytes, and each failure is printed with its delay', async () => {
  const { team, env } = await aTeam()
  let count = 0
  const receiver = await aReceiver((response) => void response.writeHead((count += 1) < 3 ? 503 : 200).end('not \u001b[31myet'))
  const { out, words } = await atelierClient(['listen', '--forward', receiver.address], {
    env,
    timing,
    onWords: once(() => anEnding(team)),
    onLine: after(1),
  })
  expect(words).toContain('answered 503: not \\u{1b}[31myet; again in 1 s (1 of 7)')
  expect(words).toContain('again in 2 s (2 of 7)')
  expect(out).toMatch(/ {2}200 in \d+ ms, attempt 3\n/)
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
})

test('an unreachable receiver gets seven attempts, and --json prints each event as it is sent', async () => {
  const { team, env } = await aTeam()
  const receiver = await aReceiver((response) => void response.writeHead(302, { Location: '/' }).end())
  const isOver = (text: string, keys: CtrlC) => void (text.includes('given up') && keys.press())
  const start = once(() => anEnding(team))
  const onWords = (text: string, keys: CtrlC) => {
    start(text)
    isOver(text, keys)
  }
  const { out } = await atelierClient(['listen', '--forward', receiver.address, '--json'], { env, timing, onWords })
  expect(receiver.received).toHaveLength(7)
  expect(out).toBe(`${receiver.received[0]?.body.toString()}\n`)
})

test('a key without the permission ends it, and an invalid address, event or secret is refused', async () => {
  const { value } = await aTeamWithKey(app.services, { scopes: ['catalog:read'] })
  expect((await atelierClient(['listen'], { env: { ATELIER_URL: app.origin, ATELIER_KEY: value } })).code).toBe(4)
  for (const options of [
    ['--forward', 'localhost:3000'],
    ['--events', 'ended'],
    ['--secret', 'whsec_'],
    ['--interval', '1'],
    ['--since', '9999-01-01'],
  ]) {
    expect((await atelierClient(['listen', ...options], { env: { ATELIER_KEY: value } })).code).toBe(2)
  }
})
