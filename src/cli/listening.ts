import { createServer } from 'node:net'
import type { Config } from '../config/readConfig.ts'

/** The listeners with real ports: port 0 becomes one that is free. */
export async function listenersOf(config: Config): Promise<{ serves: 'everything' | 'public' | 'internal'; port: number }[]> {
  return Promise.all(config.listeners.map(async ({ serves, port }) => ({ serves, port: port === 0 ? await freePort(config.host) : port })))
}

/** The origin under which the public part is reached, without a slash at its end. */
export function publicUrlOf(config: Config, listeners: { serves: string; port: number }[]): string {
  if (config.baseUrl !== undefined) return config.baseUrl
  const port = (listeners.find(({ serves }) => serves !== 'internal') ?? listeners[0])?.port
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
