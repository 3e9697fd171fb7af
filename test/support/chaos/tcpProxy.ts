import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'

/** `silent`: drops all traffic, like a broken network. `reset`: resets every connection, like a refusing firewall. */
export type Cut = 'silent' | 'reset'

/** The target of one or more proxies; a new port applies to new connections. */
export type Target = { port: number }

export type TcpProxy = {
  port: number
  cut(how: Cut): void
  /** Delivers the held traffic late, like a recovered network. */
  mend(): void
  close(): Promise<void>
}

/** A proxy for a server on loopback, on a free port of loopback or of another address of this machine. */
export async function startTcpProxy(target: Target, host = '127.0.0.1'): Promise<TcpProxy> {
  let how: Cut | undefined
  const pairs = new Set<[Socket, Socket]>()
  const waiting = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy())
    if (how === 'reset') return void client.resetAndDestroy()
    if (how === 'silent') hold(client)
    else join(client)
  })

  function hold(client: Socket): void {
    client.pause()
    waiting.add(client)
    client.once('close', () => waiting.delete(client))
  }

  function join(client: Socket): void {
    const upstream = connectTo({ port: target.port, host: '127.0.0.1', noDelay: true })
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('data', (bytes) => void (other.writable && other.write(bytes)))
      one.on('end', () => other.end())
      one.on('error', () => undefined)
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  }

  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut(kind) {
      how = kind
      for (const socket of [...pairs].flat()) {
        if (kind === 'reset') socket.resetAndDestroy()
        else socket.pause()
      }
    },
    mend() {
      how = undefined
      for (const pair of pairs) for (const socket of pair) socket.resume()
      for (const client of waiting) {
        join(client)
        client.resume()
      }
      waiting.clear()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of [...pairs].flat().concat(...waiting)) socket.destroy()
      await closed
    },
  }
}
