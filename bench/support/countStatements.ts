import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy for the database that counts statements (messages Execute and Query of the protocol, also those that begin and commit) and
 * transactions (the database is ready for a query outside a transaction). The counts of PostgreSQL itself are up to ten seconds late.
 */
export type StatementCounter = { url: string; counts(): { statements: number; transactions: number }; close(): Promise<void> }

const execute = 'E'.charCodeAt(0)
const query = 'Q'.charCodeAt(0)
const ready = 'Z'.charCodeAt(0)
const outsideTransaction = 'I'.charCodeAt(0)

/** The proxy takes time, so rates are measured without it. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const url = new URL(databaseUrl)
  const target = { port: Number(url.port), host: url.hostname }
  const sockets = new Set<Socket>()
  let [statements, transactions] = [0, 0]
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ ...target, noDelay: true })
    const countStatement: OnMessage = (type) => void (statements += type === execute || type === query ? 1 : 0)
    const countTransaction: OnMessage = (type, status) => void (transactions += type === ready && status === outsideTransaction ? 1 : 0)
    client.on('data', messageReader(countStatement, { startsWithoutType: true }))
    database.on('data', messageReader(countTransaction, { startsWithoutType: false }))
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
    counts: () => ({ statements, transactions }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type OnMessage = (type: number, firstByte: number | undefined) => void

/** Reads a stream of messages: a byte for the type, then the length, itself included, and the body. The first of a client has no type. */
function messageReader(onMessage: OnMessage, { startsWithoutType }: { startsWithoutType: boolean }): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let bodyLeft = 0
  let isFirst = startsWithoutType
  return (chunk) => {
    const skipped = Math.min(bodyLeft, chunk.length)
    bodyLeft -= skipped
    let data = Buffer.concat([rest, chunk.subarray(skipped)])
    for (let head = isFirst ? 4 : 5; data.length >= head; head = 5) {
      const length = data.readUInt32BE(head - 4)
      // The first byte of the body is still on its way.
      if (length > 4 && data.length === head) break
      if (!isFirst) onMessage(data[0] ?? 0, length > 4 ? data[head] : undefined)
      const end = head - 4 + length
      bodyLeft = Math.max(0, end - data.length)
      data = data.subarray(Math.min(end, data.length))
      isFirst = false
    }
    rest = data
  }
}
