import { ConfigError } from './configError.ts'
import type { VariableValues } from './variables.ts'

/** An address to listen on and the routes that it serves. Port 0 selects any free port. */
export type ListenerConfig = { readonly serves: 'everything' | 'public' | 'internal'; readonly host: string; readonly port: number }

/** A split deployment sets PUBLIC_PORT or INTERNAL_PORT. PORT is then ignored, because many hosting platforms set it. */
export function listenersOf(values: VariableValues): ListenerConfig[] {
  const { HOST, INTERNAL_HOST, PORT, PUBLIC_PORT, INTERNAL_PORT } = values
  if (PUBLIC_PORT === undefined && INTERNAL_PORT === undefined) return [{ serves: 'everything', host: HOST, port: PORT }]
  if (PUBLIC_PORT === INTERNAL_PORT && PUBLIC_PORT !== 0) throw new ConfigError('INTERNAL_PORT must differ from PUBLIC_PORT')
  const listeners: ListenerConfig[] = []
  if (PUBLIC_PORT !== undefined) listeners.push({ serves: 'public', host: HOST, port: PUBLIC_PORT })
  if (INTERNAL_PORT !== undefined) listeners.push({ serves: 'internal', host: INTERNAL_HOST, port: INTERNAL_PORT })
  return listeners
}

/** Refuses a public listener that would proxy to itself. Loops through other processes are detected when a request comes back. */
export function refuseLoop({ INTERNAL_URL, BASE_URL }: VariableValues, listeners: ListenerConfig[]): void {
  if (INTERNAL_URL === undefined) return
  const isOwnPublic = (listener: ListenerConfig) =>
    listener.serves === 'public' && (INTERNAL_URL === BASE_URL || pointsTo(INTERNAL_URL, listener))
  if (!listeners.some(isOwnPublic)) return
  throw new ConfigError('INTERNAL_URL must be the address of an internal listener, but it is the public listener of this process')
}

function pointsTo(url: string, { host, port }: ListenerConfig): boolean {
  const target = new URL(url)
  if (Number(target.port || (target.protocol === 'https:' ? 443 : 80)) !== port) return false
  const hostname = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const loopback = /^(localhost|127(\.\d+){3}|::1)$/
  return hostname === host || (loopback.test(hostname) && (loopback.test(host) || host === '0.0.0.0' || host === '::'))
}

/** The address of a listener as a URL without a trailing slash. */
export function listenerOrigin({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
