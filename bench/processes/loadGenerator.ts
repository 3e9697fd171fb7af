import { connect } from 'node:net'
import type { LoadOptions, LoadResult } from '../support/load.ts'

/**
 * A load generator on plain sockets: each connection sends the same bytes again as soon as the answer is complete. Reads only the status
 * and the length of an answer. It sends its own processor time with the result, because it shares the processors with the service.
 */
process.once('message', async (options: LoadOptions) => {
  process.send?.(await generateLoad(options))
  process.disconnect()
})

async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const tally = { count: 0, refusals: 0, until: performance.now() + options.seconds * 1000 }
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const targets = options.urls.flatMap((url, place) =>
    Array.from({ length: options.connections }, (_, number) => ({ url: new URL(url), number: place * options.connections + number })),
  )
  await Promise.all(targets.map(({ url, number }) => askRepeatedly(url, requestOf(options, url, number), tally)))
  const { user, system } = process.cpuUsage(before)
  const { count, refusals } = tally
  return { count, refusals, seconds: (performance.now() - startedAt) / 1000, loadMicros: (user + system) / count }
}

function requestOf({ headers = {}, keys = [], method = 'GET', body }: LoadOptions, url: URL, number: number): Buffer {
  const key = keys[number % keys.length]
  const fields = {
    host: url.host,
    ...headers,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

type Tally = { count: number; refusals: number; until: number }

/** Resolves when the time is over and the last answer is complete. */
function askRepeatedly(url: URL, request: Buffer, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = ''
    let missing = 0
    const finish = () => {
      tally.count += 1
      if (performance.now() < tally.until) return void socket.write(request)
      socket.destroy()
      resolve()
    }
    const take = (length: number, chunk: Buffer): boolean => {
      if (missing > 0) {
        missing -= length
        if (missing === 0) finish()
        return true
      }
      const text = head + chunk.toString('latin1', 0, length)
      const end = text.indexOf('\r\n\r\n')
      head = end < 0 ? text : ''
      if (end < 0) return true
      if (text.charCodeAt(9) !== 50) tally.refusals += 1
      const at = text.search(/\r\ncontent-length: /i)
      missing = end + 4 + Number.parseInt(text.slice(at + 18, at + 30), 10) - text.length
      if (at < 0 || !(missing >= 0)) reject(new Error(`${url.href}: the answer cannot be read: ${text.slice(0, 200)}`))
      else if (missing === 0) finish()
      return true
    }
    // One buffer for all reads of a connection.
    const onread = { buffer: Buffer.allocUnsafe(65_536), callback: (length: number, chunk: Uint8Array) => take(length, chunk as Buffer) }
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true, onread })
    socket.once('connect', () => socket.write(request))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${url.href}: the connection was closed`)))
  })
}
