import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Stage } from './attack.ts'
import { headOf, json, requestOf } from './requests.ts'

const lanesEach = 32

/** Streams that stay open unread, and streams that are opened and closed at once. */
export const eventStreams: Attack = {
  name: 'event-streams',
  words: '4 keys with event streams of running work, 16 each that nobody reads and 16 each that are opened and left again and again',
  kind: 'whole',
  async play(stage, { connect, send, closed, lanes, tally }) {
    const { keys } = stage.accounts
    const paths = await Promise.all(keys.map(async (key) => `/api/v1/generations/${await startLong(stage, key)}/events`))
    await lanes(keys.length * lanesEach, async (lane) => {
      const owner = lane % keys.length
      const socket = await connect(owner)
      if (lane % 2 === 0) {
        socket.pause()
        await send(socket, requestOf(stage, paths[owner] ?? '', { key: keys[owner] }))
        await closed(socket)
        return
      }
      socket.once('data', (bytes) => {
        const status = bytes.toString('latin1', 9, 12)
        tally.answers[status] = (tally.answers[status] ?? 0) + 1
        setTimeout(() => socket.destroy(), 20)
      })
      await send(socket, requestOf(stage, paths[owner] ?? '', { key: keys[owner] }))
      await closed(socket)
    })
  },
}

/** Generations that run longer than the attack. */
async function startLong({ port }: Stage, key: string): Promise<string> {
  const body = JSON.stringify({ familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { width: 64, height: 64, runSeconds: 120 } })
  const headers = { ...json, authorization: `Bearer ${key}` }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/generations`, { method: 'POST', headers, body })
  return ((await response.json()) as { generationId: string }).generationId
}

const agentHeaders = { ...json, accept: 'application/json, text/event-stream' }
const rpc = (method: string, params: object, id: number) => ({ jsonrpc: '2.0', id, method, params })
const several = { ...agentHeaders, 'mcp-protocol-version': '2025-03-26' }
const single = { ...agentHeaders, 'mcp-protocol-version': '2025-06-18' }

/** Expensive requests of agents: ten tool lists at once, waits, long histories and stalled uploads. */
export const agents: Attack = {
  name: 'mcp',
  words:
    '4 agents with ten lists of tools at once, pages of history, waits of 45 s, messages of 256 KiB and base64 that stops, 32 at once each',
  kind: 'whole',
  async play(stage, { connect, ask, send, closed, lanes }) {
    const { agentKeys } = stage.accounts
    const call = (name: string, given: object) => JSON.stringify(rpc('tools/call', { name, arguments: given }, 1))
    const posts = [
      { headers: several, body: JSON.stringify(Array.from({ length: 10 }, (_, id) => rpc('tools/list', {}, id))) },
      { headers: single, body: call('list_generations', { limit: 50 }) },
      { headers: single, body: call('estimate_generation', { familyId: 'sandbox-image', prompt: 'x'.repeat(250_000) }) },
      { headers: single, body: call('search_families', {}) },
    ]
    const upload = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"upload_file","arguments":{"base64":"'
    await lanes(agentKeys.length * lanesEach, async (lane) => {
      const key = agentKeys[lane % agentKeys.length]
      const socket = await connect(lane % agentKeys.length)
      if (lane % 4 === 3) {
        const headers = { ...single, 'content-length': '35000000' }
        await send(socket, headOf(stage, '/mcp', { method: 'POST', key, headers }) + upload + 'A'.repeat(3_000_000))
        return closed(socket)
      }
      for (let turn = lane; !socket.destroyed; turn += 1) {
        await ask(socket, requestOf(stage, '/mcp', { method: 'POST', key, ...posts[turn % posts.length] }))
      }
    })
  },
}

const boundary = 'a-boundary'
const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }

function formOf(content: Buffer): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

const uploaded = [
  'a JPEG of many passes over a large picture',
  'a PNG with a thousand packed texts',
  'an MP4 of three million empty boxes',
  'a glTF of twelve million numbers',
  'an OBJ of twenty million empty lines',
  'an MP3 with a foreign byte behind every frame',
  'a USDZ whose entries share their bytes',
]

/** Files of 25 MB that exhaust their readers, as forms and as base64. */
export const hostileUploads: Attack = {
  name: 'uploads',
  words: '4 keys with files of up to 25 MB made to exhaust their readers, as forms and in base64, 32 at once each',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    // It needs encoders that only this attack uses.
    const { hostileFiles } = await import('../media/hostileFiles.ts')
    const files: Buffer[] = []
    for (const name of uploaded) {
      files.push((await hostileFiles[name]?.()) ?? Buffer.alloc(0))
      await pause(0)
    }
    const forms = files.map(formOf)
    const texts = files.map((content) => `{"base64":"${content.toString('base64')}"}`)
    const { keys } = stage.accounts
    await lanes(keys.length * lanesEach, async (lane) => {
      const key = keys[lane % keys.length]
      const socket = await connect(lane % keys.length)
      for (let turn = lane; !socket.destroyed; turn += 1) {
        const isForm = turn % 2 === 0
        const body = isForm ? forms[turn % forms.length] : texts[turn % texts.length]
        const headers = isForm ? formHeaders : json
        await ask(socket, requestOf(stage, '/api/v1/files', { method: 'POST', key, headers, ...(body ? { body } : {}) }))
      }
    })
  },
}

/** Password attempts from many addresses, each for another account. */
export const signInFlood: Attack = {
  name: 'sign-in-flood',
  words: '64 addresses that try passwords of as many accounts as they can name, 4 at once each',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    let turn = 0
    await lanes(256, async (lane) => {
      const socket = await connect(lane % 64)
      while (!socket.destroyed) {
        const body = JSON.stringify({ email: `nobody${(turn += 1)}@example.com`, password: 'a wrong password' })
        const headers = { ...json, origin: stage.origin }
        await ask(socket, requestOf(stage, '/auth/sign-in/email', { method: 'POST', headers, body }))
      }
    })
  },
}
