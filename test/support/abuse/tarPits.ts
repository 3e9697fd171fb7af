import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { Attack, Stage } from './attack.ts'
import type { Attacker } from './attacker.ts'
import { json, requestOf } from './requests.ts'

const lanesEach = 32
const truncated = 0x0200
const isAnswer = 0x8000
const domainPort = 53

/** By-link uploads of every key, with its maximum of concurrent requests. */
function linkUploads(stage: Stage, { connect, ask, lanes }: Attacker, linkOf: (turn: number) => string): Promise<void> {
  const { keys } = stage.accounts
  let turn = 0
  return lanes(keys.length * lanesEach, async (lane) => {
    const socket = await connect(lane % keys.length)
    while (!socket.destroyed) {
      const body = JSON.stringify({ url: linkOf((turn += 1)) })
      await ask(socket, requestOf(stage, '/api/v1/files', { method: 'POST', key: keys[lane % keys.length], headers: json, body }))
    }
  })
}

/** A name server that ignores half of the queries, answers the other half with truncation, and is silent over TCP. */
async function startNameServer(address: string): Promise<() => void> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (question, from) => {
    asked += 1
    if (asked % 2 === 0) return
    question.writeUInt16BE(question.readUInt16BE(2) | isAnswer | truncated, 2)
    socket.send(question, from.port, from.address)
  })
  socket.bind(domainPort, address)
  await once(socket, 'listening')
  const silent = createServer((each) => each.on('error', () => undefined).resume())
  silent.listen(domainPort, address)
  await once(silent, 'listening')
  return () => {
    socket.close()
    silent.close()
  }
}

/** Links whose names never resolve, each in a new zone, so that no zone is known to be unresponsive. */
export const dnsTarPit: Attack = {
  name: 'dns-tar-pit',
  words: '4 keys with uploads by link, 32 at once each, whose names a name server never resolves, over UDP and over TCP',
  kind: 'whole',
  missing: ({ mounts }) => (mounts ? undefined : 'name servers of its own take root'),
  async play(stage, attacker) {
    const { names } = stage
    if (!names) throw new Error('there is no name server')
    const close = await startNameServer(names.address)
    await linkUploads(stage, attacker, (turn) => `http://a.z${turn}.${names.zone}/picture.png`)
    close()
  },
}

const answerHead = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 26000000\r\n\r\n'
const dripMs = 500

/** Accepts connections, and then sends nothing, starts a response, sends it byte by byte, or redirects to itself. */
async function startTarPit(): Promise<Server> {
  let turn = 0
  const server = createServer((socket) => {
    turn += 1
    socket.on('error', () => undefined).resume()
    const { port } = server.address() as AddressInfo
    const kind = turn % 4
    if (kind === 1) socket.write('HTTP/1.1 200')
    if (kind === 2) socket.end(`HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${port}/again\r\nContent-Length: 0\r\n\r\n`)
    if (kind === 3) {
      socket.write(answerHead)
      const drip = setInterval(() => socket.write('x'), dripMs)
      socket.once('close', () => clearInterval(drip))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Links to a server with every kind of delay. */
export const linkTarPit: Attack = {
  name: 'link-tar-pit',
  words: '4 keys with uploads by link, 32 at once each, from a server that is silent, drips or leads in circles',
  kind: 'whole',
  async play(stage, attacker) {
    const server = await startTarPit()
    const { port } = server.address() as AddressInfo
    await linkUploads(stage, attacker, (turn) => `http://127.0.0.1:${port}/${turn}.png`)
    server.close()
  },
}
