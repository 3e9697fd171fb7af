import { createServer } from 'node:net'
import { type ListenerConfig, listenerOrigin } from '../../config/listeners.ts'
import type { Config } from '../../config/readConfig.ts'

/** Resolves the ports of the listeners: port 0 becomes a free port. */
export async function listenersOf(config: Config): Promise<ListenerConfig[]> {
  return Promise.all(config.listeners.map(async (each) => ({ ...each, port: each.port === 0 ? await freePort(each.host) : each.port })))
}

/** The origin of the public interface, without a trailing slash; another process may serve it. */
export function publicUrlOf(config: Config, listeners: readonly ListenerConfig[]): string {
  const listening = listeners.find(servesPublic)
  return config.baseUrl ?? (listening ? listenerOrigin(listening) : config.defaultBaseUrl)
}

/** The URL to print at the start: of the API or, if the process serves only the internal part, of that part. */
export function ownUrlOf(config: Config, listeners: readonly ListenerConfig[]): string {
  const [first] = listeners
  return first === undefined || listeners.some(servesPublic) ? `${publicUrlOf(config, listeners)}/api/v1` : listenerOrigin(first)
}

export function servesPublic({ serves }: Pick<ListenerConfig, 'serves'>): boolean {
  return serves !== 'internal'
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
