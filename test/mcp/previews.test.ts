import { Readable } from 'node:stream'
import type { CallToolResult } from '@modelcontextprotocol/client'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { contextFor } from '../../src/domain/context.ts'
import { testApp } from '../support/app.ts'
import { anAgent } from '../support/factories.ts'
import { endAtOnce } from '../support/generations/generationTransitions.ts'
import { type AgentClient, agentClient, type ToolAnswer } from '../support/http/agentClient.ts'
import { rpc, sendToAgents } from '../support/http/agentMessages.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const { services } = app
const { value: key } = await anAgent(services)
const anAgentOf = (options?: { era: 'legacy' }) => agentClient(app, key, options)
const large = { familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { width: 2048, height: 1024 } }

/** A quote, so that the start may be repeated, and what it made. */
async function made({ call }: AgentClient, work: Record<string, unknown>) {
  const { quoteId } = (await call('estimate_generation', work)).body
  const started = await call('start_generation', { ...work, quoteId })
  const { generationId } = started.body
  const waited = await call('wait_generation', { generationId })
  expect(waited.body.state).toBe('ready')
  return { generationId, quoteId, started, waited }
}

const typesOf = ({ content }: Pick<ToolAnswer, 'content'>) => content.map(({ type }) => type)

function imageOf({ content }: { content: CallToolResult['content'] }) {
  const image = content.find((each) => each.type === 'image')
  if (!image) throw new Error(`there is no image among ${content.map(({ type }) => type).join(', ')}`)
  return image
}

let picture: ReturnType<typeof made> | undefined

/** One large picture for all tests. */
function thePicture(agent: AgentClient) {
  picture ??= made(agent, large)
  return picture
}

/** Work that ends as a test says, with these bytes as its result. */
async function madeOf({ call }: AgentClient, content: Buffer): Promise<string> {
  const { generationId } = (await call('start_generation', { familyId: 'sandbox-image', prompt: 'x', parameters: { runSeconds: 60 } })).body
  const { key: storageKey, sizeBytes, sha256 } = await services.storage.put(`results/${generationId}/of-a-test`, Readable.from([content]))
  const result = { storageKey, mimeType: 'image/png', sizeBytes, sha256, width: 2, height: 2, durationSeconds: null }
  await endAtOnce(contextFor(services, { kind: 'system' }), generationId, { to: 'ready', result })
  return generationId
}

test('an image of 2048 pixels has a link and a small preview of the same aspect ratio', async () => {
  const agent = await anAgentOf()
  const picture = await thePicture(agent)
  expect(typesOf(picture.waited)).toEqual(['text', 'resource_link', 'image'])
  const { data, mimeType } = imageOf(picture.waited)
  expect(mimeType).toBe('image/jpeg')
  expect(data.length).toBeLessThanOrEqual(256 * 1024)
  const bytes = Buffer.from(data, 'base64')
  expect(bytes.length).toBeLessThanOrEqual(limits.previewBytes)
  const { format, width, height } = await sharp(bytes).metadata()
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1024, height: 512 })
  expect(picture.waited.body.result).toMatchObject({ mimeType: 'image/png', width: 2048, height: 1024 })
})

test('every tool result with a finished image has its preview, also a repeated start and a late cancel', async () => {
  const agent = await anAgentOf()
  const picture = await thePicture(agent)
  const { generationId, quoteId } = picture
  const { data } = imageOf(picture.waited)
  const answers = [
    await agent.call('get_generation', { generationId }),
    await agent.call('wait_generation', { generationId, waitSeconds: 1 }),
    await agent.call('start_generation', { ...large, quoteId }),
    await agent.call('cancel_generation', { generationId }),
  ]
  for (const answer of answers) {
    expect(typesOf(answer)).toEqual(['text', 'resource_link', 'image'])
    expect(imageOf(answer).data).toBe(data)
  }
  expect(answers[2]?.body).toMatchObject({ replayed: true })
  expect(answers[3]?.body).toMatchObject({ cancelled: false, state: 'ready' })
})

test('open generations, a cancel in time and the history are text only', async () => {
  const agent = await anAgentOf()
  const picture = await thePicture(agent)
  expect(typesOf(picture.started)).toEqual(['text'])
  const { generationId } = (await agent.call('start_generation', { ...large, parameters: { runSeconds: 60 } })).body
  expect(typesOf(await agent.call('get_generation', { generationId }))).toEqual(['text'])
  expect(typesOf(await agent.call('cancel_generation', { generationId }))).toEqual(['text'])
  expect(typesOf(await agent.call('list_generations'))).toEqual(['text'])
})

test.each(['sandbox-audio', 'sandbox-3d'])('what %s makes comes as a link alone', async (familyId) => {
  const agent = await anAgentOf()
  expect(typesOf((await made(agent, { familyId, prompt: 'a cup' })).waited)).toEqual(['text', 'resource_link'])
})

test('clients without resource links get the preview', async () => {
  const older = await anAgentOf({ era: 'legacy' })
  const { generationId } = await thePicture(older)
  expect(typesOf(await older.call('get_generation', { generationId }))).toEqual(['text', 'resource_link', 'image'])
  const asked = rpc('tools/call', { name: 'get_generation', arguments: { generationId } })
  const { message } = await sendToAgents(app, { key, body: asked, revision: '2025-03-26' })
  expect(message.result?.['content']).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/jpeg' }])
})

test('a result that cannot be decoded has only its link, also in repeated reads', async () => {
  const agent = await anAgentOf()
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  for (const content of [Buffer.from('no picture'), png.subarray(0, png.length - 30)]) {
    const generationId = await madeOf(agent, content)
    for (const name of ['get_generation', 'wait_generation', 'get_generation']) {
      const answer = await agent.call(name, { generationId })
      expect(answer).toMatchObject({ isError: false, body: { state: 'ready', result: { mimeType: 'image/png' } } })
      expect(typesOf(answer)).toEqual(['text', 'resource_link'])
    }
  }
})

test('a repeated preview is read from the cache', async () => {
  const agent = await anAgentOf()
  const picture = await thePicture(agent)
  const { generationId } = picture
  const { rows } = await services.pool.query(`select result ->> 'storageKey' as key from generations where id = $1`, [generationId])
  await services.storage.remove(rows[0].key)
  expect(imageOf(await agent.call('get_generation', { generationId })).data).toBe(imageOf(picture.waited).data)
})
