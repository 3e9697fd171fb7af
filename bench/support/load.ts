import autocannon from 'autocannon'

export type LoadOptions = {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Bearer keys, which the connections use in turn. */
  keys?: string[]
  method?: 'GET' | 'POST'
  body?: string
}

/** Returns the number of requests, and requests per second. Throws if any response was not 2xx. */
export async function load(options: LoadOptions): Promise<{ count: number; rate: number }> {
  const { url, connections, seconds, headers = {}, keys = [], method = 'GET', body } = options
  let connected = 0
  const setupClient = (client: autocannon.Client) => {
    const key = keys[connected++ % keys.length]
    if (key !== undefined) client.setHeaders({ ...headers, authorization: `Bearer ${key}` })
  }
  const sent = { headers, method, ...(body === undefined ? {} : { body }) }
  const result = await autocannon({ url, connections, duration: seconds, ...sent, ...(keys.length > 0 ? { setupClient } : {}) })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { count: result.requests.total, rate: result.requests.total / result.duration }
}
