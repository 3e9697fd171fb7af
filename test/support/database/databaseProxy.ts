import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A proxy for the database with faults, for the running test. `closeConnections` cuts open connections. `refuseConnections` closes this many
 * new connections and then resolves. `stallConnections` drops the traffic of open connections, and optionally of new ones until
 * `resumeConnections`.
 * `dropReplyTo` disconnects instead of sending the next reply to
 * a statement with this text, after the database has executed it, and then resolves.
 */
export async function databaseProxyTo(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = Number(url.port)
  const open = new Set<Socket>()
  let refusalsLeft = 0
  let silent = false
  let losing: { words: string; done: PromiseWithResolvers<void> } | undefined
  const refused = Promise.withResolvers<void>()

  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (refusalsLeft > 0) {
      socket.destroy()
      refusalsLeft -= 1
      if (refusalsLeft === 0) refused.resolve()
      return
    }
    const onward = connectSocket(target, '127.0.0.1')
    onward.on('error', () => undefined)
    open.add(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
    let isLost = false
    socket.on('data', (asked) => {
      isLost ||= losing !== undefined && asked.includes(losing.words)
    })
    onward.on('data', () => {
      if (!isLost) return
      onward.unpipe(socket)
      socket.destroy()
      losing?.done.resolve()
      losing = undefined
    })
    if (!silent) socket.pipe(onward).pipe(socket)
  })
  const closeConnections = () => {
    for (const socket of open) socket.destroy()
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    closeConnections()
    server.close()
  })
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    closeConnections,
    stallConnections(newcomersToo = false) {
      silent = newcomersToo
      for (const socket of open) socket.unpipe()
    },
    dropReplyTo(words: string) {
      losing = { words, done: Promise.withResolvers<void>() }
      return losing.done.promise
    },
    resumeConnections() {
      silent = false
    },
    refuseConnections(count: number) {
      refusalsLeft = count
      return refused.promise
    },
  }
}
