import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type ListenerConfig, listenerOrigin, readConfig } from '../../config/readConfig.ts'

/** An event loop that turns answers long before. */
const answerMs = 4_000
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Asks the process that was started with these settings on this machine for its `/healthz`: 0 when one of its listeners answers, which
 * share an event loop, else 1. For the health checks of containers, whose image has no other program that speaks HTTP.
 */
export async function health(): Promise<number> {
  // Container health checks run this every few seconds, and vendor code takes longer to load than the check itself.
  const { listeners, monitoringAddress } = readConfig(process.env, { command: 'health', vendors: [] })
  const faults = await Promise.all([...listeners, ...(monitoringAddress ? [monitoringAddress] : [])].map(faultOf))
  if (faults.includes(undefined)) return 0
  process.stderr.write(`atelier: ${faults.join('; ')}\n`)
  return 1
}

/** Not by `fetch`, which refuses ports that browsers refuse. */
async function faultOf({ host, port }: Pick<ListenerConfig, 'host' | 'port'>): Promise<string | undefined> {
  const url = `${listenerOrigin({ host: everywhere[host] ?? host, port })}/healthz`
  try {
    const [answer] = (await once(get(url, { agent: false, signal: AbortSignal.timeout(answerMs) }), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode === 200 ? undefined : `${url} answers ${answer.statusCode}`
  } catch (error) {
    const { name, message } = error as Error
    return `${url} does not answer: ${name === 'AbortError' ? `nothing for ${answerMs / 1000} s` : message}`
  }
}
