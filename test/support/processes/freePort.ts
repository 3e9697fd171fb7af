import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which an outgoing connection could take before the port is used. */
const [firstPort, lastPort] = [15_000, 30_000]

/** Ports that the browser of this process has visited, and those of them whose service has ended. */
const visited = new Set<number>()
const returned: number[] = []

/** A currently free loopback port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort)
    if (await isFree(port)) return port
  }
}

/** Like {@link freePort}, but prefers a visited one: the browser has cached and compiled the files of that origin. */
export async function familiarPort(): Promise<number> {
  for (let port = returned.pop(); port !== undefined; port = returned.pop()) if (await isFree(port)) return port
  return freePort()
}

export function visitPort(port: number): void {
  visited.add(port)
}

/** Call this when the service on that port has ended. */
export function returnPort(port: number): void {
  if (visited.has(port)) returned.push(port)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => server.close(resolve))
  return listens
}
