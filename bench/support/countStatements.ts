import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy for the database that counts statements: messages Execute and Query of the protocol, also those that begin and commit. */
export type StatementCounter = { url: string; count(): number; close(): Promise<void> }

const execute = 0x45
const query = 0x51

/** The proxy takes time, so rates are measured without it. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const url = new URL(databaseUrl)
  const target = { port: Number(url.port), host: url.hostname }
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ ...target, noDelay: true })
    const countMessages = messageCounter(() => {
      count += 1
    })
    client.on('data', countMessages)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => [client, database].map((each) => each.destroy()))
    }
    client.pipe(database).pipe(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads a stream of messages: the first has no type, each other one a byte for it; then come the length, itself included, and the body. */
function messageCounter(onStatement: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let bodyLeft = 0
  let isFirst = true
  return (chunk) => {
    const skipped = Math.min(bodyLeft, chunk.length)
    bodyLeft -= skipped
    let data = Buffer.concat([rest, chunk.subarray(skipped)])
    for (let head = isFirst ? 4 : 5; data.length >= head; head = 5) {
      if (!isFirst && (data[0] === execute || data[0] === query)) onStatement()
      const end = head - 4 + data.readUInt32BE(head - 4)
      bodyLeft = Math.max(0, end - data.length)
      data = data.subarray(Math.min(end, data.length))
      isFirst = false
    }
    rest = data
  }
}
