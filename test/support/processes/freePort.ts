import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which an outgoing connection could take before the port is used. */
const [firstPort, lastPort] = [15_000, 30_000]

/** A currently free loopback port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}
