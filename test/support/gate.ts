import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A way to the database that can be disturbed, for the running test: `hangUp` cuts what is open, `refuseNext` hangs up on that many
 * newcomers and resolves when it has, `fallSilent` swallows what is said on open connections and, until `speakAgain`, of newcomers too if asked,
 * `loseNextAnswer` hangs up in place of the next answer of the database, which has done by then what it was asked, and resolves when it has.
 */
export async function gateTo(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = Number(url.port)
  const open = new Set<Socket>()
  let refusalsLeft = 0
  let silent = false
  let losing: PromiseWithResolvers<void> | undefined
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
    onward.prependListener('data', () => {
      if (losing === undefined) return
      onward.unpipe(socket)
      socket.destroy()
      losing.resolve()
      losing = undefined
    })
    if (!silent) socket.pipe(onward).pipe(socket)
  })
  const hangUp = () => {
    for (const socket of open) socket.destroy()
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    hangUp()
    server.close()
  })
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    hangUp,
    fallSilent(newcomersToo = false) {
      silent = newcomersToo
      for (const socket of open) socket.unpipe()
    },
    loseNextAnswer() {
      losing = Promise.withResolvers<void>()
      return losing.promise
    },
    speakAgain() {
      silent = false
    },
    refuseNext(count: number) {
      refusalsLeft = count
      return refused.promise
    },
  }
}
