import type { Attack } from './attack.ts'
import { headOf, requestOf } from './requests.ts'

const kilobyte = 1000
/** Many times the size of one read of the service. */
const pipelined = 20_000
/** The maximum of unanswered requests of one connection. */
const together = 31
const openPaths = ['/healthz', '/integrations', '/no/such/path', '/r/nothing', '/api/v1/account', '/docs']

/** Thousands of requests per connection with unread responses; and the maximum of unanswered requests, read at full speed. */
export const pipelining: Attack = {
  name: 'pipelining',
  words: '100 connections of 4 addresses with 20,000 requests each in one piece, unread, and 20 with 31 requests at a time, read',
  kind: 'whole',
  async play(stage, { connect, send, closed, lanes, tally }) {
    const floods = openPaths.map((path) => Buffer.concat(Array(pipelined).fill(requestOf(stage, path))))
    const unread = lanes(100, async (lane) => {
      const socket = await connect(lane % 4)
      socket.pause()
      await send(socket, floods[lane % floods.length] as Buffer, pipelined)
      await closed(socket, 2000)
      socket.destroy()
    })
    const piece = Buffer.concat(Array(together).fill(requestOf(stage, '/integrations')))
    const read = lanes(20, async (lane) => {
      const socket = await connect(lane % 4)
      let due = 0
      socket.on('data', (bytes) => {
        for (const [, status = ''] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          tally.answers[status] = (tally.answers[status] ?? 0) + 1
          due -= 1
        }
        if (due > 0) return
        due = together
        void send(socket, piece, together)
      })
      due = together
      await send(socket, piece, together)
      await closed(socket)
    })
    await Promise.all([unread, read])
  },
}

const addresses = 12
const connectionsEach = 1000

/** Endless headers on all connections of a listener, each of the maximum length and sent slowly. */
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

/** Requests with the maximum number or length of headers. */
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
