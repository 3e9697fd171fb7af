import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type ListenerConfig, listenerOrigin } from '../../config/listeners.ts'
import { readConfig } from '../../config/readConfig.ts'

/** A running event loop answers much faster. */
const answerMs = 4_000
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Requests `/healthz` of the process with these settings on this machine. Returns 0 if one of its listeners answers (they share an event
 * loop), else 1. For health checks of containers: the image has no other HTTP client.
 */
export async function health(): Promise<number> {
  // Health checks run every few seconds, and loading the vendors takes longer than the check.
  const { listeners, monitoringAddress } = readConfig(process.env, { command: 'health', vendors: [] })
  const faults = await Promise.all([...listeners, ...(monitoringAddress ? [monitoringAddress] : [])].map(faultOf))
  if (faults.includes(undefined)) return 0
  process.stderr.write(`atelier: ${faults.join('; ')}\n`)
  return 1
}

/** Uses node:http: `fetch` refuses some ports, as browsers do. */
async function faultOf({ host, port }: Pick<ListenerConfig, 'host' | 'port'>): Promise<string | undefined> {
  const url = `${listenerOrigin({ host: everywhere[host] ?? host, port })}/healthz`
  try {
    const [answer] = (await once(get(url, { agent: false, signal: AbortSignal.timeout(answerMs) }), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode === 200 ? undefined : `${url} answers ${answer.statusCode}`
  } catch (error) {
    const { name, message } = error as Error
    return `${url} does not answer: ${name === 'AbortError' ? `no answer within ${answerMs / 1000} s` : message}`
  }
}
