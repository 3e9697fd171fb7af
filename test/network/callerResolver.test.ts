import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeCallerResolver } from '../../src/network/callerResolver.ts'

const never = new AbortController().signal
/** A name server that does not answer for names below `silent.test`, and has 203.0.113.7 for `known.test`. */
const server = await startNameServer()
const names = makeCallerResolver({ servers: [server.address], timeoutMilliseconds: 100 })

test('a name resolves to its addresses, and one that does not exist is not found', async () => {
  expect(await names.for('ada')('Known.test.', never)).toEqual(['203.0.113.7'])
  await expect(names.for('ada')('absent.test', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a query without an answer times out, and its zone is not queried again for the same owner only', async () => {
  await expect(names.for('bob')('a.silent.test', never)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  const asked = server.queries()
  await expect(names.for('bob')('b.silent.test', never)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(server.queries()).toBe(asked)
  await expect(names.for('carol')('b.silent.test', never)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(server.queries()).toBeGreaterThan(asked)
})

test('aborted look-ups end at once and release their slots', async () => {
  const patient = makeCallerResolver({ servers: [server.address], timeoutMilliseconds: 60_000, lookUpsPerOwnerMax: 120 })
  for (const round of [1, 2]) {
    const gone = new AbortController()
    const lookUps = Array.from({ length: 120 }, (_, index) => patient.for('mallory')(`n${round}-${index}.silent.test`, gone.signal))
    const ended = Promise.allSettled(lookUps)
    gone.abort()
    expect((await ended).map(({ status }) => status)).toEqual(Array(120).fill('rejected'))
  }
  expect(await patient.for('mallory')('known.test', never)).toEqual(['203.0.113.7'])
})

test('an owner with too many look-ups in progress is refused, and others are not', async () => {
  const narrow = makeCallerResolver({ servers: [server.address], timeoutMilliseconds: 60_000, lookUpsPerOwnerMax: 2 })
  const gone = new AbortController()
  const first = Promise.allSettled(['a', 'b'].map((name) => narrow.for('mallory')(`${name}.silent.test`, gone.signal)))
  await expect.poll(() => server.queries()).toBeGreaterThan(0)
  await expect(narrow.for('mallory')('known.test', never)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(await narrow.for('ada')('known.test', never)).toEqual(['203.0.113.7'])
  gone.abort()
  await first
})

test('the hosts file comes first, and names below localhost are this machine, whatever a name server says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '127.0.0.1 localhost\n192.0.2.1\tKnown.test alias # comment\n2001:db8::1 known.test\nnonsense known.test\n')
  const listed = makeCallerResolver({ servers: [server.address], hostsFile })
  const asked = server.queries()
  expect(await listed.for('ada')('known.test', never)).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await listed.for('ada')('alias', never)).toEqual(['192.0.2.1'])
  expect(await listed.for('ada')('evil.localhost', never)).toEqual(['127.0.0.1'])
  expect(server.queries()).toBe(asked)
})

async function startNameServer() {
  const socket = createSocket('udp4')
  let queries = 0
  socket.on('message', (query, from: RemoteInfo) => {
    queries += 1
    const { name, type, end } = questionOf(query)
    if (!name.endsWith('.silent.test'))
      socket.send(answerTo(query, { end, address: name === 'known.test' ? [203, 0, 113, 7] : undefined, type }), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.unref()
  return { address: `127.0.0.1:${socket.address().port}`, queries: () => queries }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** A response as in RFC 1035: the question, then one A record, nothing for AAAA, or NXDOMAIN. */
function answerTo(query: Buffer, { end, address, type }: { end: number; address: number[] | undefined; type: number }): Buffer {
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(address ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(address && type === 1 ? 1 : 0, 6)
  header.writeUInt16BE(0, 10)
  const record = address && type === 1 ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]) : Buffer.alloc(0)
  return Buffer.concat([header, query.subarray(12, end), record])
}
