import autocannon from 'autocannon'

export type LoadOptions = {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  body?: string
}

/** How many requests were answered with 2xx, and how many a second. Throws when any was not. */
export async function load(options: LoadOptions): Promise<{ count: number; rate: number }> {
  const { url, connections, seconds, headers = {}, method = 'GET', body } = options
  const result = await autocannon({ url, connections, duration: seconds, headers, method, ...(body === undefined ? {} : { body }) })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { count: result.requests.total, rate: result.requests.total / result.duration }
}
